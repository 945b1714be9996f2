// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;
import java.util.Optional;

/**
 * The closed vocabulary of the journal. What the store itself does is written in the same step; the
 * rest is appended by whoever did it.
 */
public enum EntryKind {
  MACHINE_ENROLLED,
  MACHINE_ADOPTED,
  MACHINE_RESTARTED,
  MACHINE_BOOTED,
  MACHINE_STAGED,
  MACHINE_PROVEN,
  MACHINE_DOUBTED,
  MACHINE_RETIRED,
  MACHINE_CONDEMNED,
  MACHINE_CLEANED,
  MACHINE_PARKED,
  MACHINE_FORGOTTEN,
  /** After lost data: tagged as in use, and no grant explains it. */
  MACHINE_UNKNOWN,
  /** After lost data: put back into the book from what its leader remembered. */
  MACHINE_REMEMBERED,
  /** After lost data: nobody came for it, it is drained. */
  MACHINE_UNCLAIMED,

  SESSION_QUEUED,
  SESSION_GRANTED,
  SESSION_CONNECTED,
  /** Its Machine died. */
  SESSION_LOST,
  /** Its Machine died, and it has another one. */
  SESSION_REPLACED,
  /** After lost data: put back from a replica's memory or a gateway's receipt. */
  SESSION_RECOGNISED,
  /** It left the queue, or nothing was delivered. */
  SESSION_WITHDRAWN,
  /** Over; the data says why. */
  SESSION_ENDED,

  LEADER_ELECTED,
  LEADER_RESIGNED,

  OPERATOR_MARKED,
  OPERATOR_UNMARKED,

  /** Data was lost: nothing is granted until the replicas have reported. */
  STORE_RECOVERING,
  STORE_READY,

  // What a loop decided and how it ended; one kind for each ActionKind.
  ACTION_LOSE,
  ACTION_DOUBT,
  ACTION_BOOK,
  ACTION_STAGE,
  ACTION_START,
  ACTION_CREATE,
  ACTION_TEARDOWN,
  ACTION_STOP,
  ACTION_DRAIN,
  ACTION_DESTROY,
  ACTION_ADOPT,
  ACTION_RETAG,

  /** A finding came, or went; the data says which. */
  FINDING_RAISED,
  FINDING_CLEARED,

  /** What a leader tells the other replicas: what is missing, how long a boot takes, its plan. */
  REGION_STATUS,

  /** The Machine answers: for the first time in this boot, or again. */
  PROBE_HEALTHY,
  /** A strike. */
  PROBE_FAILED,
  /** It answers, but not as its pool is configured. */
  PROBE_MISCONFIGURED,

  // What an operator asked for, with who and why; written before it is done.
  ACT_DRAIN,
  ACT_CORDON,
  ACT_UNCORDON,
  ACT_PAUSE,
  ACT_RESUME,

  CONFIG_RELOADED,

  /** A hint about demand to come. */
  SIGNAL_TAKEN;

  /** The word in an entry, such as {@code session.granted}. */
  public String word() {
    String name = name().toLowerCase(Locale.ROOT);
    int seam = name.indexOf('_');
    return name.substring(0, seam) + "." + name.substring(seam + 1).replace('_', '-');
  }

  /** The kind of the entry about an action of this kind. */
  public static EntryKind of(ActionKind action) {
    return switch (action) {
      case LOSE -> ACTION_LOSE;
      case DOUBT -> ACTION_DOUBT;
      case BOOK -> ACTION_BOOK;
      case STAGE -> ACTION_STAGE;
      case START -> ACTION_START;
      case CREATE -> ACTION_CREATE;
      case TEARDOWN -> ACTION_TEARDOWN;
      case STOP -> ACTION_STOP;
      case DRAIN -> ACTION_DRAIN;
      case DESTROY -> ACTION_DESTROY;
      case ADOPT -> ACTION_ADOPT;
      case RETAG -> ACTION_RETAG;
    };
  }

  /** The kind with this word. */
  public static Optional<EntryKind> of(String word) {
    for (EntryKind kind : values()) if (kind.word().equals(word)) return Optional.of(kind);
    return Optional.empty();
  }
}
