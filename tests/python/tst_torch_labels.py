# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What the labels of torch.distributed.pipelining name, however a loop gives its arguments.

Needs no PyTorch: modules of its names stand in, with the signatures of its functions.
"""

import pathlib
import sys
import types
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "executor" / "torch"
sys.path.insert(0, str(PACKAGE))

heard = []  # names of the ranges, in the order of their beginning


class Record:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        heard.append(self.name)

    def __exit__(self, *problem):
        return False


class Stage:
    stage_index, is_last = 1, False

    def forward_one_chunk(self, fwd_chunk_id, args, kwargs=None, save_forward_output=True):
        return fwd_chunk_id, args, kwargs, save_forward_output

    def backward_one_chunk(self, bwd_chunk_id, loss=None, full_backward=True, last_backward=False):
        return bwd_chunk_id, loss, full_backward, last_backward

    def backward_weight_one_chunk(self, bwd_chunk_id, last_backward=False):
        return bwd_chunk_id, last_backward

    def get_fwd_send_ops(self, fwd_chunk_id):
        return [types.SimpleNamespace(of=fwd_chunk_id)]

    def get_fwd_recv_ops(self, fwd_chunk_id):
        return [types.SimpleNamespace(of=fwd_chunk_id)]

    def get_bwd_send_ops(self, bwd_chunk_id):
        return [types.SimpleNamespace(of=bwd_chunk_id)]

    def get_bwd_recv_ops(self, bwd_chunk_id):
        return [types.SimpleNamespace(of=bwd_chunk_id)]


class Schedule:
    def _maybe_compute_loss(self, stage, output, target_mbs, mb_index):
        return mb_index


class Mesh:
    def __init__(self, *sizes, names, here):
        self.mesh, self.mesh_dim_names, self.here = types.SimpleNamespace(shape=sizes), names, here
        self.ndim = len(sizes)

    def get_coordinate(self):
        return self.here


def stand_in():
    """Modules of PyTorch's names, with what the labels ask of them."""
    def module(name, **members):
        made = sys.modules[name] = types.ModuleType(name)
        vars(made).update(members)
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, made)
        return made

    module("torch", cuda=types.SimpleNamespace(is_initialized=lambda: False))
    module("torch.profiler", record_function=Record)
    dist = module("torch.distributed", batch_isend_irecv=lambda p2p_op_list: list(p2p_op_list))
    module("torch.distributed.device_mesh", DeviceMesh=Mesh)
    module("torch.distributed.pipelining")
    module("torch.distributed.pipelining.stage", _PipelineStageBase=Stage)
    schedules = module("torch.distributed.pipelining.schedules", _PipelineSchedule=Schedule,
                       PipelineScheduleSingle=type("Single", (Schedule,), {}),
                       PipelineScheduleMulti=type("Multi", (Schedule,), {}),
                       _batch_p2p=lambda p2p_ops, desc=None: (list(p2p_ops), desc))
    return dist, schedules


dist, schedules = stand_in()
from pipewright_torch import labels  # noqa: E402


def names_of(call):
    heard.clear()
    call()
    return list(heard)


class Labels(unittest.TestCase):
    def test_a_pass_is_named_however_its_arguments_are_given(self):
        stage = Stage()
        for call, name, made in (
                (lambda: stage.forward_one_chunk(3, ()), "PP:1F3", (3, (), None, True)),
                (lambda: stage.forward_one_chunk(fwd_chunk_id=3, args=()), "PP:1F3", (3, (), None, True)),
                (lambda: stage.backward_one_chunk(2), "PP:1B2", (2, None, True, False)),
                (lambda: stage.backward_one_chunk(bwd_chunk_id=2, loss=None), "PP:1B2", (2, None, True, False)),
                (lambda: stage.backward_one_chunk(2, None, False), "PP:1I2", (2, None, False, False)),
                (lambda: stage.backward_one_chunk(bwd_chunk_id=2, full_backward=False), "PP:1I2",
                 (2, None, False, False)),
                (lambda: stage.backward_weight_one_chunk(2), "PP:1W2", (2, False)),
                (lambda: stage.backward_weight_one_chunk(bwd_chunk_id=2), "PP:1W2", (2, False))):
            heard.clear()
            self.assertEqual(call(), made)
            self.assertEqual(heard, [name])

    def test_messages_are_named_however_they_are_asked_for_and_posted(self):
        stage = Stage()
        for post in (lambda told: dist.batch_isend_irecv(told), lambda told: dist.batch_isend_irecv(p2p_op_list=told),
                     lambda told: schedules._batch_p2p(told, "why"),
                     lambda told: schedules._batch_p2p(p2p_ops=told, desc="why")):
            for told in (stage.get_fwd_recv_ops(4) + stage.get_bwd_send_ops(2),
                         stage.get_fwd_recv_ops(fwd_chunk_id=4) + stage.get_bwd_send_ops(bwd_chunk_id=2)):
                self.assertEqual(names_of(lambda told=told, post=post: post(told)), ["PP:1SEND_B2", "PP:1RECV_F4"])
            for told in (stage.get_fwd_send_ops(fwd_chunk_id=0), stage.get_bwd_recv_ops(bwd_chunk_id=0)):
                self.assertEqual(len(names_of(lambda told=told, post=post: post(told))), 1)
        self.assertEqual(dist.batch_isend_irecv(p2p_op_list=[1, 2]), [1, 2])

    def test_a_call_without_its_argument_is_refused_by_whom_it_asks(self):
        for call in (Stage().forward_one_chunk, Stage().get_fwd_send_ops, dist.batch_isend_irecv):
            with self.assertRaisesRegex(TypeError, "missing"):
                call()

    def test_the_loss_is_asked_for_by_name(self):
        self.assertEqual(Schedule()._maybe_compute_loss(stage=None, output=None, target_mbs=None, mb_index=5), 5)

    def replica(self, *meshes):
        """What the labels make of these meshes, each its dimensions with their size and this rank's place."""
        labels.meshes.clear()
        for dimensions in meshes:
            made = dimensions and zip(*((name, size, here) for name, (size, here) in dimensions.items()))
            names, sizes, here = made or (("dp", "pp"), (2, 2), None)
            Mesh(*sizes, names=names, here=here)
        return labels.replica_of(labels.meshes)

    def test_the_replica_is_told_by_the_largest_mesh(self):
        self.assertIsNone(self.replica())
        self.assertIsNone(self.replica({"dp": (2, 1)}))  # says nothing of a pipeline
        self.assertIsNone(self.replica(None))  # of other ranks
        self.assertEqual(self.replica({"dp": (2, 1), "pp": (4, 3)}), (1, 2))
        self.assertEqual(self.replica({"pp": (2, 0), "dp_replicate": (2, 1), "dp_shard": (3, 2)},
                                      {"pp": (2, 0), "dp": (6, 5)}), (5, 6))
        self.assertEqual(self.replica({"pp": (2, 0), "dp": (2, 1), "tp": (1, 0)}), (1, 2))

    def test_ranks_that_share_a_tensor_are_no_replicas(self):
        self.assertIsNone(self.replica({"pp": (2, 0), "tp": (2, 1)}))
        # As TorchTitan has them: one mesh of all dimensions, and one in which expert ranks are part of dp.
        dense, sparse = {"pp": (2, 1), "dp": (2, 0), "tp": (2, 1)}, {"pp": (2, 1), "world": (4, 1)}
        self.assertIsNone(self.replica(dense, sparse))
        self.assertIsNone(self.replica(sparse, dense))
        whole = {"pp": (2, 1), "dp_replicate": (1, 0), "dp_shard": (4, 3)}
        self.assertIsNone(self.replica(whole, {"pp": (2, 1), "ep": (4, 3)}))

    def test_of_each_shape_one_mesh_is_kept(self):
        for _ in range(5):
            self.replica(*5 * [{"dp": (2, 1), "pp": (4, 3)}], *3 * [None], {"pp": (4, 3), "dp": (2, 1)})
            self.assertEqual(len(labels.meshes), 2)


if __name__ == "__main__":
    unittest.main()
