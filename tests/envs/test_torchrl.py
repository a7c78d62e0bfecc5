"""TorchRL's PettingZooWrapper over the environments, against the real package."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.envs.playing import Form

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the imports' own
    torch: Any = pytest.importorskip("torch")
    pytest.importorskip("torchrl")
    from tensordict.nn import TensorDictModule
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs
    from torchrl.modules import MaskedCategorical, ProbabilisticActor

pytestmark = [
    pytest.mark.slow,  # the imports alone take seconds
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning"),
]
FORMS = [
    Form("sixty_six", {"preset": "schnapsen"}),
    Form("zwicken", {"preset": "dreier"}),  # nobody passes, so that no episode ends within the checker's few steps
    Form("zwicker", {"players": 2}),
]
forms = pytest.mark.parametrize("form", FORMS, ids=str)


@forms
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_specs_and_rollouts(mask_in: str, form: Form) -> None:
    env = PettingZooWrapper(form.make(mask_in=mask_in), use_mask=True)  # raw: an illegal action would raise
    if form.id == "zwicken":
        check_env_specs(env)
    torch.manual_seed(1)
    names = env.possible_agents
    for _ in range(3):
        played = env.rollout(1000)
        acting = torch.stack([played[name, "mask"].flatten() for name in names])
        assert (acting.sum(0) == 1).all()
        paid = {name: float(played["next", name, "reward"].sum()) for name in names}
        assert paid == pytest.approx(env._env.returns())
        assert played["next", "done"].flatten().tolist() == [False] * (len(played) - 1) + [True]
        for name in names:
            own = played[name]
            taken = own["action"].flatten()
            legal = own["action_mask"].reshape(len(played), -1)
            assert legal[torch.arange(len(played)), taken][own["mask"].flatten()].all()


@forms
def test_one_masked_policy_for_all_seats(form: Form) -> None:
    raw = form.make()
    env = PettingZooWrapper(raw, use_mask=True, group_map={"seats": raw.possible_agents})
    net = torch.nn.Sequential(torch.nn.LazyLinear(16), torch.nn.ReLU(), torch.nn.Linear(16, raw.game.num_actions))
    floats = TensorDictModule(
        lambda seen: net(seen.float()), [("seats", "observation", "observation")], [("seats", "logits")]
    )
    actor = ProbabilisticActor(
        floats,
        in_keys={"logits": ("seats", "logits"), "mask": ("seats", "action_mask")},
        out_keys=[("seats", "action")],
        distribution_class=MaskedCategorical,
    )
    played = env.rollout(250, policy=actor, break_when_any_done=False)  # several episodes, reset by itself
    assert len(played) == 250 and played["next", "done"].any()
    assert (played["seats", "mask"].sum(-1) == 1).all()
