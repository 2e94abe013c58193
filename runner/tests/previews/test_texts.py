"""Encodings of texts without a mark, as people's programs write them."""

from __future__ import annotations

import pytest

from runner.previews.texts import decode, read_records

TEXTS = [
    ("gb18030", "姓名,成绩\n王小明,90\n李华,85\n"),
    ("gb18030", "会议纪要\n今天我们讨论了项目进度。"),
    ("gb18030", "城市,销售额\n北京,100\n"),
    ("gb18030", "日期,金额\n2024-01-01,100\n"),
    ("gb18030", "报告.txt"),
    ("gb18030", "产品,数量\n苹果,3\n"),
    ("big5", "姓名,成績\n王小明,90\n陳美玲,85\n"),
    ("big5", "會議記錄\n今天我們討論了專案進度。"),
    ("cp932", "名前,点数\n田中太郎,90\n佐藤花子,85\n"),
    ("cp932", "会議の議事録\n今日はプロジェクトについて話しました。"),
    ("euc_jp", "名前,点数\n田中太郎,90\n佐藤花子,85\n今日は\n"),
    ("cp949", "이름,점수\n김철수,90\n이영희,85\n"),
    ("cp949", "날짜,금액\n2024-01-01,100\n"),
    ("cp949", "안녕하세요 반갑습니다"),
    ("cp1252", "Straße;Größe;Preis €\nHauptstraße;12;3,50\n"),
    ("cp1252", "name,city\nJosé,Málaga\n"),
    ("cp1252", "Name;Ort\nMüller;Köln\n"),
    ("cp1252", "prix;café\n1;thé\n"),
    ("cp1252", "name,qty\nCafé,1\n"),
    ("cp1252", "La città è più bella di quanto credessi.\n"),
    ("cp1252", "São Paulo não é a capital\n"),
    ("cp1252", "El niño comió en la montaña\n"),
    ("cp1252", "Sørensen bor på Ærø\n"),
    (
        "cp1252",
        "año;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\naño;país\n2020;España\n",
    ),
    ("cp1252", "Köln\n"),
    ("cp1252", "temp\n18°C\n"),
    ("cp1252", "name\nPeña\n"),
    ("cp1252", "len\n5,µm\n"),
    ("cp1252", "price\n£3.50\n"),
    ("cp1252", "qty\n½\n"),
    ("cp1252", "naïve\r\ncafé"),
    ("cp1252", "Rechnung Müller.pdf"),
    ("cp1252", "ça va à l'école où l'élève"),
    ("cp1252", "“quoted” — it’s\n"),
    ("cp1250", "Jméno;Město\nŽaneta Dvořáková;Plzeň\nJiří Šťastný;Ústí\n"),
    ("cp1250", "Imię;Miasto\nŁukasz;Łódź\nGrażyna;Kraków\n"),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("cp1250", "Őrült tűzoltó"),
    ("cp1250", "Čaša i šaka\n"),
    ("cp1251", "Имя;Город\nИван;Москва\nОльга;Санкт-Петербург\n"),
    ("cp1251", "Отчёт о продажах за первый квартал"),
    ("cp1251", "1\n00:00:01,000 --> 00:00:02,000\nПривет, как дела?\n"),
    ("cp1251", "Привет"),
    ("koi8_r", "Имя;Город\nИван;Москва\nОльга;Санкт-Петербург\n"),
    ("koi8_r", "Привет, мир"),
    ("cp1253", "Όνομα;Πόλη\nΓιώργος;Αθήνα\n"),
    ("cp1254", "İsim;Şehir\nÇağrı;İstanbul\nGülşen;İzmir\n"),
    ("cp1255", "שם,עיר\nדוד,ירושלים\n"),
    ("cp1255", "שלום עולם, מה שלומך"),
    ("cp1256", "الاسم,المدينة\nأحمد,القاهرة\n"),
    ("cp874", "ชื่อ,เมือง\nสมชาย,กรุงเทพ\n"),
    ("cp874", "ชื่อ,ราคา\nส้ม,20\n"),
    ("cp932", "商品名,単価\r\nりんご,120\r\nカタカナ・ソース表,450\r\n"),
    ("cp932", "品名①,数量\nネジとボルト～,3\n"),
    ("cp1257", "Pavadinimas;Kaina\nŠokoladas „Žuvėdra“;1,50\nSūris, 12 mėn.;12,99\n"),
    ("cp1257", "Vārds;Pilsēta\nJānis Bērziņš;Rīga\nĢirts;Liepāja\n"),
    ("mac_roman", "Produit;Prix\rCafé crème;3,50\rPâté — été;18,00\rà la carte;2\r"),
    ("mac_roman", "Straße;Größe\nHauptstraße für Bücher;12\n"),
    ("cp850", "Größe überprüft: Käse, Straße 12\n"),
    ("iso8859_2", "Imię;Miasto\nŁukasz Wąsik;Łódź\nGrażyna Święta;Gdańsk\n"),
    ("cp1252", "Beton 5 m³, Fläche 12 m²; 3 €/m³\n"),
    ("cp1252", "José Müller;François Nuñez;Søren Ærø\n"),
    ("cp1252", "Þórður Jónsson býr í Reykjavík\n"),
    ("cp1254", "Ürün;Fiyat\nŞeker ığdır;12,50\nYoğurt;18\n"),
    ("cp866", "Привет, мир. Отчёт о продажах"),
]


def test_short_texts_are_read_in_their_encoding() -> None:
    wrong = []
    for encoding, text in TEXTS:
        decoded = decode(text.encode(encoding))
        if decoded is None or decoded[0] != text:
            wrong.append((encoding, text, decoded))
    assert wrong == []


def test_a_cut_character_and_marks_are_no_guess() -> None:
    assert decode("Größe"[:3].encode()[:-1]) == ("Gr", "")
    assert decode("ä".encode("utf-16")) == ("ä", "")
    damaged = "Größe für Straße, schöne Grüße\n".encode() * 5
    assert decode(damaged + b"\xff") == (
        damaged.decode() + "\ufffd",
        "UTF-8, which 1 of its bytes are not",
    )
    assert decode("a\ufffd".encode()) == ("a\ufffd", "")
    assert decode(b"\x89PNG\r\n\x1a\n\0\0\0") is None


def test_fields_are_parted_as_most_records_are(subtests: pytest.Subtests) -> None:
    for text, first in [
        ("a;b\n1,5;2,5\n", ["a", "b"]),
        ("city\tpop, est\nRome\t2,8\nOslo\t0,7\n", ["city", "pop, est"]),
        ("Ort, Land;Wert\nRom, IT;2\nOslo, NO;7\n", ["Ort, Land", "Wert"]),
        ("sep=;\nname;qty\npen;3\n", ["name", "qty"]),
        ('id,text\n1,"A; b; c"\n2,"d; e; f"\n', ["id", "text"]),
        ("name|pos\nDoe, J|1,2\nRoe, R|3,4\n", ["name", "pos"]),
        ("a,b,\n1,2,\n", ["a", "b", ""]),
    ]:
        with subtests.test(text=text, first=first):
            assert read_records(text)[0] == first
