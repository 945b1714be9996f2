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
  STORE_READY;

  /** The word in an entry, such as {@code session.granted}. */
  public String word() {
    String name = name().toLowerCase(Locale.ROOT);
    int seam = name.indexOf('_');
    return name.substring(0, seam) + "." + name.substring(seam + 1).replace('_', '-');
  }

  /** The kind with this word. */
  public static Optional<EntryKind> of(String word) {
    for (EntryKind kind : values()) if (kind.word().equals(word)) return Optional.of(kind);
    return Optional.empty();
  }
}
