// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.ListTrust;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.port.Machines.AppList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What Fly's lists say about this regional pool, one after another: who is missing and since when,
 * whose host is doubtful, who is there without being in the book, and whether the list may be
 * believed at all.
 */
final class Sightings {
  private static final Sighting NEVER =
      new Sighting(Power.ABSENT, null, 0, null, null, null, Map.of());

  /** No list lags further behind what Fly has said already. */
  private static final Duration LAG_MOST = Duration.ofSeconds(30);

  private final Mandate mandate;
  private final Map<MachineId, Sighting> booked = new TreeMap<>();
  private final Map<MachineId, Listed> listed = new TreeMap<>();

  /** When Fly first said how a Machine stands now. */
  private final Map<MachineId, Instant> heardAt = new HashMap<>();

  private final Map<MachineId, Instant> straysSince = new TreeMap<>();

  /** Strays of the list before that the newest lacks: one list alone makes nothing gone. */
  private final Map<MachineId, Listed> missedOnce = new TreeMap<>();

  private @Nullable ListTrust trust;
  private @Nullable Instant newest;
  private @Nullable Instant listedAt;
  private int foreign;
  private boolean looking;

  Sightings(Mandate mandate) {
    this.mandate = mandate;
  }

  /** A list arrived. The same list twice says nothing new: loops share their calls. */
  void take(AppList list, Duration skew, Ledger.View view, Policy.Trust limits) {
    if (newest != null && !list.at().isAfter(newest)) return;
    newest = list.at();
    Instant at = list.at().plus(skew);
    listedAt = at;
    looking = false;
    Set<MachineId> inBook = view.ids();
    missedOnce.clear();
    missedOnce.putAll(listed);
    listed.clear();
    foreign = 0;
    for (Listed each : list.machines()) {
      if (inBook.contains(each.id()) || isOurs(each)) listed.put(each.id(), each);
      if (isForeign(each)) foreign++;
    }
    missedOnce.keySet().removeAll(listed.keySet());
    // What was in the book and is not any more was taken out by us.
    missedOnce.keySet().removeAll(booked.keySet());
    believe(view, limits);
    for (Booked each : view.all()) {
      note(each.id(), seen(each, listed.get(each.id()), at), at);
    }
    booked.keySet().retainAll(inBook);
    heardAt.keySet().retainAll(inBook);
  }

  /** Fly's newest word about one Machine, fresher than the list. */
  void take(Listed single, Instant now) {
    Sighting before = booked.get(single.id());
    if (before == null) return;
    note(single.id(), shown(before, single, before.hostDoubtfulSince()), now);
    listed.put(single.id(), single);
  }

  private void note(MachineId machine, Sighting next, Instant at) {
    Sighting before = booked.put(machine, next);
    if (before == null || !Objects.equals(before.since(), next.since())) heardAt.put(machine, at);
  }

  Sighting of(MachineId machine) {
    return booked.getOrDefault(machine, NEVER);
  }

  Optional<Listed> listed(MachineId machine) {
    return Optional.ofNullable(listed.get(machine));
  }

  boolean isListed(MachineId machine) {
    Listed one = listed.get(machine);
    return one != null && one.power() != Power.DESTROYED;
  }

  @Nullable Instant listedAt() {
    return listedAt;
  }

  int foreign() {
    return foreign;
  }

  /** May the newest list be believed? */
  boolean isTrusted() {
    return trust == null || trust.trusted();
  }

  Listing listing(@Nullable Instant bookedAt) {
    ListTrust now = trust;
    if (now == null) return new Listing(listedAt, bookedAt, true, 0, 0);
    return new Listing(listedAt, bookedAt, now.trusted(), now.known().size(), now.lost());
  }

  /** Ours by tag and in no book; those that show up in the book are forgotten here. */
  List<Stray> strays(Set<MachineId> inBook) {
    List<Stray> found = new ArrayList<>();
    Set<MachineId> ids = new HashSet<>();
    Instant seenAt = listedAt == null ? Instant.EPOCH : listedAt;
    List<Listed> known = new ArrayList<>(listed.values());
    known.addAll(missedOnce.values());
    for (Listed each : known) {
      if (inBook.contains(each.id()) || each.power() == Power.DESTROYED || !isOurs(each)) continue;
      ids.add(each.id());
      Instant since = straysSince.computeIfAbsent(each.id(), any -> seenAt);
      found.add(new Stray(each.id(), each.name(), since));
    }
    straysSince.keySet().retainAll(ids);
    return found;
  }

  /** Machines whose tag says that a session is on them. */
  Set<MachineId> taggedInUse() {
    Set<MachineId> found = new TreeSet<>();
    listed.values().stream()
        .filter(this::isOurs)
        .filter(each -> Standing.ASSIGNED.word().equals(each.tags().get("state")))
        .forEach(each -> found.add(each.id()));
    return found;
  }

  /** Whom to ask Fly about, one by one, to trust the list again; at most once per list. */
  List<MachineId> sample(Policy.Trust limits) {
    if (trust == null || looking) return List.of();
    List<MachineId> sample = trust.sample(limits);
    looking = !sample.isEmpty();
    return sample;
  }

  /** The single answers: does each say what the list says? */
  void sampled(Event.Looked looked, Policy.Trust limits) {
    if (trust == null || !looked.complete()) return;
    boolean confirmed =
        trust.sample(limits).stream()
            .allMatch(id -> trust.listed().contains(id) == isThere(looked.found().get(id)));
    trust = trust.sampled(confirmed, limits);
  }

  private static boolean isThere(@Nullable Listed one) {
    return one != null && one.power() != Power.DESTROYED;
  }

  private void believe(Ledger.View view, Policy.Trust limits) {
    Set<MachineId> shown = new HashSet<>();
    Set<MachineId> ended = new HashSet<>();
    listed.forEach((id, each) -> {
      if (each.power() == Power.DESTROYED) ended.add(id);
      else shown.add(id);
    });
    // What we take out ourselves is no loss: condemned ones, and those that left the book.
    for (Booked each : view.all()) {
      if (each.state().standing() == Standing.CONDEMNED) ended.add(each.id());
    }
    ListTrust before = trust == null ? ListTrust.startingFrom(view.ids()) : trust;
    for (MachineId id : before.listed()) {
      if (!view.ids().contains(id) && booked.containsKey(id)) ended.add(id);
    }
    trust = before.seen(shown, ended, limits);
  }

  private Sighting seen(Booked machine, @Nullable Listed now, Instant at) {
    Sighting before = booked.getOrDefault(machine.id(), NEVER);
    if (now == null) return missed(machine, before, at);
    Instant doubtful = before.hostDoubtfulSince();
    Sighting shown = shown(before, now, now.hostOk() ? null : doubtful == null ? at : doubtful);
    return isOldStory(machine.id(), before, now, at) ? shown.as(before) : shown;
  }

  /** Lists lag, and not evenly: this one may not know yet what Fly has told us before. */
  private boolean isOldStory(MachineId machine, Sighting before, Listed now, Instant at) {
    Instant known = before.since();
    Instant told = now.since();
    if (known == null || told == null || !told.isBefore(known)) return false;
    return at.isBefore(heardAt.getOrDefault(machine, at).plus(LAG_MOST));
  }

  private static Sighting shown(Sighting before, Listed now, @Nullable Instant doubtful) {
    Instant exitedAt = now.exitedAt() != null ? now.exitedAt() : before.exitedAt();
    return new Sighting(now.power(), now.since(), 0, null, doubtful, exitedAt, now.tags());
  }

  /** A list from before the Machine was asked for cannot miss it. */
  private static Sighting missed(Booked machine, Sighting before, Instant at) {
    if (at.isBefore(machine.bootedAt())) return before;
    Instant since = before.absentSince() == null ? at : before.absentSince();
    return new Sighting(
        Power.ABSENT,
        null,
        before.missedLists() + 1,
        since,
        before.hostDoubtfulSince(),
        before.exitedAt(),
        Map.of());
  }

  private boolean isOurs(Listed each) {
    return each.region().equals(mandate.region())
        && each.pool().filter(mandate.pool()::equals).isPresent();
  }

  private boolean isForeign(Listed each) {
    return !each.ours() && each.region().equals(mandate.region());
  }
}
