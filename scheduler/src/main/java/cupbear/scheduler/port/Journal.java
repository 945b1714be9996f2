// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/**
 * What happened, in order, per pool: for loops, the event stream and the audit. The store's own
 * steps (grants, ends, moves) write their entries in the same atomic step. Capped: the oldest go.
 */
public interface Journal {
  Future<Void> append(PoolName pool, List<Entry> entries);

  /**
   * Entries after one, oldest first.
   *
   * @param after an entry's id; empty for the oldest kept
   */
  Future<List<Entry>> after(PoolName pool, String after, int most);

  /** Tells of new entries soon after they were written; words may be lost, on any thread. */
  void onEntry(PoolName pool, Consumer<Entry> listener);
}
