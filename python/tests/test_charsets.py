# ruff: noqa: RUF001
"""Pages in every charset of the WHATWG Encoding standard that Python can encode."""

from __future__ import annotations

import codecs

import pages
import pytest

import lede_news as lede

LATIN = "The café owner said “naïve” visitors pay 40 £ – not more – for the crème."
WESTERN = "The café owner said «naïve» visitors pay 40 £ for the crème brûlée."
CENTRAL = "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl starosta města Plzně v úterý."
POLISH = "Zażółć gęślą jaźń, powiedział burmistrz Łodzi we wtorek na placu."
SOUTH = "Ċensu mar il-Ħamrun biex jixtri ż-żejt għal ommu, qal is-sindku."
BALTIC = "Ķekavas mērs teica, ka tilts šogad netiks slēgts, un žurnālisti brīnījās."
NORDIC = "Ordføreren sa at brua åpner på søndag, og at ferja går ut året."
ROMANIAN = "Primarul orașului a spus că podul nu va fi închis în această iarnă, și țăranii râd."
TURKISH = "Belediye başkanı köprünün kışın açık kalacağını söyledi, İstanbul ışıl ışıl."
CYRILLIC = "Мэр города сообщил во вторник, что старый мост откроют до начала зимы."
UKRAINIAN = "Мер міста повідомив у вівторок, що старий міст відкриють, і її ґанок теж."
GREEK = "Ο δήμαρχος της πόλης είπε την Τρίτη ότι η παλιά γέφυρα θα ανοίξει."
HEBREW = "ראש העיר אמר ביום שלישי כי הגשר הישן ייפתח לפני החורף הקרוב."
ARABIC = "قال رئيس البلدية يوم الثلاثاء إن الجسر القديم سيفتح قبل الشتاء."
THAI = "นายกเทศมนตรีกล่าวเมื่อวันอังคารว่าสะพานเก่าจะเปิดก่อนฤดูหนาว"
VIETNAMESE = "Ông nói cây câu cu se mơ cưa trươc mùa đông, và phà chay môi ngày."
CHINESE = "市长星期二表示,这座老桥将在冬天到来之前重新开放,渡船每天往返两岸。"
TRADITIONAL = "市長星期二表示,這座老橋將在冬天到來之前重新開放,渡船每天往返兩岸。"
JAPANESE = "市長は火曜日、古い橋を冬の前に再び開くと発表した。渡し船は毎日運航する。"
KOREAN = "시장은 화요일에 오래된 다리를 겨울이 오기 전에 다시 열겠다고 말했다."

CHARSETS = [
    # name in the standard, codec of Python, text
    ("utf-8", "utf-8", CHINESE + THAI + "🌉"),
    ("ibm866", "cp866", CYRILLIC),
    ("iso-8859-1", "cp1252", LATIN),
    ("iso-8859-2", "iso8859-2", CENTRAL),
    ("iso-8859-3", "iso8859-3", SOUTH),
    ("iso-8859-4", "iso8859-4", BALTIC),
    ("iso-8859-5", "iso8859-5", CYRILLIC),
    ("iso-8859-6", "iso8859-6", ARABIC),
    ("iso-8859-7", "iso8859-7", GREEK),
    ("iso-8859-8", "iso8859-8", HEBREW),
    ("iso-8859-8-i", "iso8859-8", HEBREW),
    ("iso-8859-9", "cp1254", TURKISH),
    ("iso-8859-10", "iso8859-10", NORDIC),
    ("iso-8859-13", "iso8859-13", BALTIC),
    ("iso-8859-14", "iso8859-14", WESTERN.replace("«", "").replace("»", "")),
    ("iso-8859-15", "iso8859-15", WESTERN.replace("£", "€")),
    ("iso-8859-16", "iso8859-16", ROMANIAN),
    ("koi8-r", "koi8-r", CYRILLIC),
    ("koi8-u", "koi8-u", UKRAINIAN),
    ("macintosh", "mac-roman", LATIN),
    ("x-mac-cyrillic", "mac-cyrillic", CYRILLIC),
    ("windows-874", "cp874", THAI),
    ("windows-1250", "cp1250", POLISH),
    ("windows-1251", "cp1251", CYRILLIC),
    ("windows-1252", "cp1252", LATIN),
    ("windows-1253", "cp1253", GREEK),
    ("windows-1254", "cp1254", TURKISH),
    ("windows-1255", "cp1255", HEBREW),
    ("windows-1256", "cp1256", ARABIC),
    ("windows-1257", "cp1257", BALTIC),
    ("windows-1258", "cp1258", VIETNAMESE),
    ("gbk", "gbk", CHINESE),
    ("gb2312", "gb2312", CHINESE),
    ("gb18030", "gb18030", CHINESE + "🌉"),
    ("big5", "big5", TRADITIONAL),
    ("euc-jp", "euc-jp", JAPANESE),
    ("iso-2022-jp", "iso2022-jp", JAPANESE),
    ("shift_jis", "shift-jis", JAPANESE),
    ("euc-kr", "euc-kr", KOREAN),
    ("utf-16le", "utf-16-le", JAPANESE + "🌉"),
    ("utf-16be", "utf-16-be", JAPANESE + "🌉"),
]
MARKS = {"utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}
UTF_16 = ("utf-16le", "utf-16be")


@pytest.mark.parametrize(("name", "codec", "text"), CHARSETS, ids=[c[0] for c in CHARSETS])
def test_charset(name: str, codec: str, text: str) -> None:
    declared = pages.page(1, head=f'<meta charset="{name}">', text=text).encode(codec)
    silent = pages.page(1, head="", text=text).encode(codec)
    lying = pages.page(1, head='<meta charset="koi8-r">', text=text).encode(codec)
    cases: dict[str, str | bytes | lede.Page] = {
        "charset": lede.Page(silent, charset=name),
        "charset against meta": lede.Page(lying, charset=name),
        "header": lede.Page(silent, header_charset=name),
        "header against meta": lede.Page(lying, header_charset=name),
        "text": pages.page(1, text=text),
        "text against meta": pages.page(1, head=f'<meta charset="{name}">', text=text),
        "text against header": lede.Page(pages.page(1, text=text), header_charset=name, charset=name),
    }
    if name not in UTF_16:
        cases["meta"] = declared
        cases["http-equiv"] = pages.page(
            1, head=f'<meta http-equiv="Content-Type" content="text/html; charset={name.upper()}">', text=text
        ).encode(codec)
    if name in MARKS:
        cases["mark"] = MARKS[name] + silent
        cases["mark against meta"] = MARKS[name] + lying
    for (case, _), r in zip(cases.items(), lede.extract_many(cases.values()), strict=True):
        assert r.error is None and r.article is not None, case
        assert text in r.article.text, case
        assert pages.words(1) in r.article.text, case
    extracted = [
        lede.extract(silent, charset=name).text,
        lede.extract(silent, header_charset=name).text,
    ]
    assert all(text in t for t in extracted)


def test_unknown_charset() -> None:
    with pytest.raises(lede.CharsetError, match="klingon"):
        lede.extract(pages.page(1).encode(), charset="klingon")


def test_surrogates() -> None:
    whole = pages.page(1, text="The bridge 🌉 is open again and everybody is happy about it.")
    halves = whole.replace("🌉", "\ud83c\udf09")
    assert lede.extract(halves).text == lede.extract(whole).text
    alone = lede.extract(whole.replace("🌉", "\ud83c")).text
    assert "The bridge \ufffd is open again" in alone
    assert lede.links(halves, "https://paper.example/\udc80")[0].text == "Home"


@pytest.mark.parametrize("extra", ["\0", "\ufeff", "\x1a", "\u2028", "\uffff"])
def test_odd_characters(extra: str) -> None:
    text = f"The bridge{extra} is open again and everybody in Upper Mill is happy about it."
    for page in (extra + pages.page(1, text=text), (extra + pages.page(1, text=text)).encode()):
        article = lede.extract(page)
        assert article.title == "Bridge report 1"
        assert pages.words(1) in article.text
        assert "is open again and everybody in Upper Mill" in article.text


def test_bytes_that_are_no_text() -> None:
    broken = pages.page(1, text="The caf\udce9 is open again and everybody is happy about it.")
    article = lede.extract(broken.encode("utf-8", "surrogateescape"))
    assert pages.words(1) in article.text
    for data in (b"\0" * 1000, bytes(range(256)) * 40, b"\xff\xfe", b"\x89PNG\r\n\x1a\n" + b"\0" * 100):
        with pytest.raises(lede.LedeError):
            lede.extract(data)


def test_other_types_of_bytes() -> None:
    data = pages.page(1).encode()
    expected = lede.extract(data)
    assert lede.extract(bytearray(data)) == expected  # type: ignore[arg-type]
    assert lede.extract(memoryview(data)) == expected  # type: ignore[arg-type]
