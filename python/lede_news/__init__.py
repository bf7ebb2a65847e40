"""Extract the articles of news pages.

>>> import lede_news as lede
"""

from importlib.metadata import PackageNotFoundError, version

from ._extractor import Extractor, Page, Result
from .article import Article
from .errors import CrashError, LedeError, NoContentError

__all__ = ["Article", "CrashError", "Extractor", "LedeError", "NoContentError", "Page", "Result", "__version__"]

try:
    __version__ = version("lede-news")
except PackageNotFoundError:  # a source tree that is not installed
    __version__ = "0.0.0.dev0"
