// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** One thing to do, as data, with its reason. */
public sealed interface Action {
  ActionKind kind();

  /** What it is about: the Machine's id, or the name of the one to be made. */
  String on();

  Why why();

  /** The store's consent that must come first. */
  default Reserve reserve() {
    return Reserve.NONE;
  }

  /** Make a Machine. Its name is a function of the pool's gaps, so that a repeat is refused. */
  record Create(String name, TemplateVersion template, Keep keep, Why why) implements Action {
    @Override
    public ActionKind kind() {
      return ActionKind.CREATE;
    }

    @Override
    public String on() {
      return name;
    }
  }

  /** Start a parked (or drained and stopped) Machine. */
  record Start(MachineId machine, Keep keep, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.START;
    }
  }

  /** Give a proving Machine its one-time credentials. */
  record Stage(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.STAGE;
    }
  }

  /** Make a warm Machine unassignable until it is proven again; store only. */
  record Doubt(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.DOUBT;
    }
  }

  /** Take a warm Machine out of service; store only, the stop follows in the next pass. */
  record Drain(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.DRAIN;
    }

    @Override
    public Reserve reserve() {
      return Reserve.RETIRE;
    }
  }

  /** Run the pool's teardown playbook on a draining Machine. */
  record Teardown(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.TEARDOWN;
    }
  }

  /** Stop a draining (or wrongly running parked) Machine, which wipes it. */
  record Stop(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.STOP;
    }
  }

  /** Write down what Fly shows: booted, stopped and wiped, or gone; store only. */
  record Book(MachineId machine, Progress progress, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.BOOK;
    }
  }

  /** Destroy a Machine, after the store has condemned it. */
  record Destroy(MachineId machine, Reserve reserve, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.DESTROY;
    }
  }

  /** The Machine of a live session is gone: condemn it and tell the session; store only. */
  record Lose(MachineId machine, SessionId session, Epoch epoch, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.LOSE;
    }

    @Override
    public Reserve reserve() {
      return Reserve.LOSE;
    }
  }

  /** Write a stray down as draining, so that it is wiped before it serves; store only. */
  record Adopt(MachineId machine, Why why) implements OnMachine {
    @Override
    public ActionKind kind() {
      return ActionKind.ADOPT;
    }
  }

  /** Bring Fly's metadata in line. Holds only the tags that differ. */
  record Retag(MachineId machine, Map<String, String> tags, Why why) implements OnMachine {
    public Retag {
      SortedMap<String, String> sorted = new TreeMap<>(tags);
      tags = Collections.unmodifiableSortedMap(sorted);
    }

    @Override
    public ActionKind kind() {
      return ActionKind.RETAG;
    }
  }

  /** Every action but a create is about a Machine that exists. */
  sealed interface OnMachine extends Action
      permits Start, Stage, Doubt, Drain, Teardown, Stop, Book, Destroy, Lose, Adopt, Retag {
    MachineId machine();

    @Override
    default String on() {
      return machine().value();
    }
  }
}
