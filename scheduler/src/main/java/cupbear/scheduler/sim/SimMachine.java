// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One Machine as it really is: what Fly knows of it, what Fly shows of it, and what is inside. */
final class SimMachine {
  /** Older looks than this are shown by no list, however far it lags. */
  private static final long HISTORY = Duration.ofSeconds(30).toNanos();

  static final long NEVER = Long.MAX_VALUE;

  final MachineId id;
  final String name;
  final Region region;
  final boolean ours;
  private final Instant createdAt;
  private final List<Look> looks = new ArrayList<>(4);

  Power power = Power.COMING_UP;
  Map<String, String> tags;
  String address;
  boolean hostOk = true;
  private @Nullable Instant since;
  @Nullable Instant exitedAt;

  /** Counts boots that somebody asked for, so that late events of an earlier one are known. */
  int boot = 1;

  /** When that boot was asked for. */
  long bootedAt;

  /** From when on the viewer in it answers; {@link #NEVER} when it does not come up. */
  long healthyFrom = NEVER;

  /** It hangs until then: it runs, and nobody answers. */
  long sickUntil;

  /** When a healthy answer was last possible; negative when it never was since it was started. */
  long healthySeen = -1;

  /** When something was last wrong with it. */
  long troubleAt = Long.MIN_VALUE / 2;

  /** One of our schedulers has had it stopped or destroyed, and nobody has started it since. */
  boolean takenDown;

  /** A session was delivered on it after its last wipe. */
  boolean used;

  /** From when on Fly shows it no more at all. */
  long forgottenAt = NEVER;

  SimMachine(
      MachineId id,
      String name,
      Region region,
      boolean ours,
      String address,
      Map<String, String> tags,
      Instant now) {
    this.id = id;
    this.name = name;
    this.region = region;
    this.ours = ours;
    this.address = address;
    this.tags = new TreeMap<>(tags);
    this.createdAt = now;
    this.since = now;
  }

  boolean isRunning() {
    return power == Power.COMING_UP || power == Power.RUNNING || power == Power.GOING_DOWN;
  }

  boolean exists() {
    return power != Power.DESTROYED;
  }

  /**
   * Would a probe be answered now? Asked before every change, so that {@link #healthySeen} holds.
   */
  boolean isHealthy(long now) {
    boolean answers = power == Power.RUNNING && hostOk && now >= healthyFrom && now >= sickUntil;
    if (answers) healthySeen = now;
    return answers;
  }

  /** It was healthy at some moment since a boot was last asked for, though perhaps not now. */
  boolean wasHealthy(long now) {
    return isHealthy(now) || healthySeen >= 0;
  }

  void turn(Power next, long nanos, Instant now) {
    isHealthy(nanos);
    power = next;
    since = now;
    show(nanos);
  }

  /** From now on a list that does not lag shows it as it is. */
  void show(long nanos) {
    Listed listed =
        new Listed(
            id,
            name,
            region,
            ours,
            power,
            power == Power.COMING_UP && boot == 1 ? null : address,
            hostOk,
            since,
            exitedAt,
            createdAt,
            tags);
    looks.add(new Look(nanos, listed));
    while (looks.size() > 1 && looks.get(1).at < nanos - HISTORY) looks.removeFirst();
  }

  Listed newest() {
    return looks.getLast().listed;
  }

  /** As it was shown at that moment; null before it was there. */
  @Nullable Listed asOf(long moment) {
    if (moment >= forgottenAt) return null;
    for (int i = looks.size() - 1; i >= 0; i--) {
      if (looks.get(i).at <= moment) return looks.get(i).listed;
    }
    return null;
  }

  private record Look(long at, Listed listed) {}
}
