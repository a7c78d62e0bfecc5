"""The report and the checks on the method."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from scipy import stats

from cardsim.jit import DISABLED
from experiments import report
from experiments.lab import Options
from experiments.method import nulls, planted

pytestmark = pytest.mark.skipif(DISABLED, reason="plays thousands of hands: needs compiled speed")


def test_planted_tips_come_out_as_they_are(tmp_path: Path) -> None:
    finding = planted.run(Options(hands=300_000, seed=2, out=str(tmp_path)))
    assert finding.tables["Verdicts"]["right"].tolist() == ["true"] * len(planted.PLANTED)
    gifts = [effect for effect in finding.effects if "gift" in effect.name]
    for effect in gifts:
        low, high = effect.interval(0.9999)
        assert low <= planted.GIFT / planted.EVERY <= high


def test_null_comparisons_miss_as_often_as_promised(tmp_path: Path) -> None:
    finding = nulls.run(Options(hands=200_000, seed=2, out=str(tmp_path)))
    (table,) = finding.tables.values()
    missed, total = int(table["missed"].sum()), int(table["of"].sum())
    assert total == nulls.COMPARISONS * len(nulls.KINDS) * len(nulls.GAMES)
    assert stats.binomtest(missed, total, 0.05).pvalue > 1e-4
    assert (table["tips said to pay"] <= 8).all()  # 50 null tips a row, 2.5 % of them expected: 8 has a chance of 1e-4


def test_a_report_is_one_page(tmp_path: Path) -> None:
    made = report.run(Options(hands=2000, out=str(tmp_path)), ["method", "sixty_six.exchange"], quiet=True)
    assert [question.id for question, *_ in made.answers] == [
        "sixty_six.exchange",
        "method.planted",
        "method.nulls",
    ]
    page = (tmp_path / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 3
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "<table>" in page and "Is the exchange" in page
    text = (tmp_path / "report.md").read_text()
    for question, *_ in made.answers:
        assert f"python -m experiments.{question.id} --hands 2000 --seed 1" in text
        assert (tmp_path / question.id / "picture.png").stat().st_size > 5000
    facts = json.loads((tmp_path / "verdicts.json").read_text())
    assert [entry["id"] for entry in facts["questions"]] == [question.id for question, *_ in made.answers]
    assert facts["questions"][0]["verdict"]


def test_every_script_is_in_the_report() -> None:
    here = Path(report.__file__).parent
    scripts = {
        f"{section}.{path.stem}"
        for section in report.SECTIONS
        for path in (here / section).glob("*.py")
        if "QUESTION = Question(" in path.read_text()
    }
    known = report.questions()
    assert {question.id for question in known} == scripts
    assert len({question.title for question in known}) == len(known)
    for question in known:
        assert question.title.endswith("?") and question.tip


def test_wrong_arguments() -> None:
    runner = CliRunner()
    for arguments, message in (
        (["--only", "bridge"], "only 'bridge': no such question; there are "),
        (["--hands", "10"], "must be a whole number"),
        (["--threads", "0"], "threads 0: must be at least 1"),
    ):
        result = runner.invoke(report.main, arguments)
        assert result.exit_code == 2 and message in result.output
