"""Extract the articles of news pages.

>>> import lede_news as lede
"""

from ._extractor import Extractor, Page, Result
from .article import Article
from .errors import CrashError, LedeError, NoContentError

__all__ = ["Article", "CrashError", "Extractor", "LedeError", "NoContentError", "Page", "Result"]
