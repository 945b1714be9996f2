// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.ListTrust;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.port.Machines.AppList;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  private final Mandate mandate;
  private final Map<MachineId, Sighting> booked = new TreeMap<>();
  private final Map<MachineId, Listed> listed = new TreeMap<>();
  private final Map<MachineId, Instant> straysSince = new TreeMap<>();
  private @Nullable ListTrust trust;
  private @Nullable Instant newest;
  private @Nullable Instant listedAt;
  private int foreign;
  private boolean looking;

  Sightings(Mandate mandate) {
    this.mandate = mandate;
  }

  /** A list arrived. The same list twice says nothing new: loops share their calls. */
  void take(AppList list, Duration skew, Collection<Booked> book) {
    if (newest != null && !list.at().isAfter(newest)) return;
    newest = list.at();
    Instant at = list.at().plus(skew);
    listedAt = at;
    looking = false;
    Map<MachineId, Listed> all = new TreeMap<>();
    list.machines().forEach(each -> all.put(each.id(), each));
    Set<MachineId> inBook = new TreeSet<>();
    book.forEach(each -> inBook.add(each.id()));
    believe(all, book, inBook);
    listed.clear();
    all.forEach((id, each) -> {
      if (inBook.contains(id) || isOurs(each)) listed.put(id, each);
    });
    book.forEach(each -> booked.put(each.id(), seen(each, all.get(each.id()), at)));
    booked.keySet().retainAll(inBook);
    foreign = (int) all.values().stream().filter(this::isForeign).count();
  }

  /** Fly's newest word about one Machine, fresher than the list. */
  void take(Listed single) {
    Sighting before = booked.get(single.id());
    if (before == null) return;
    booked.put(single.id(), shown(before, single, before.hostDoubtfulSince()));
    listed.put(single.id(), single);
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

  Listing listing(@Nullable Instant bookedAt) {
    ListTrust now = trust;
    if (now == null) return new Listing(listedAt, bookedAt, true, 0, 0);
    return new Listing(listedAt, bookedAt, now.trusted(), now.known().size(), now.lost());
  }

  /** Ours by tag and in no book; those that show up in the book are forgotten here. */
  List<Stray> strays(Set<MachineId> inBook) {
    List<Listed> found =
        listed.values().stream()
            .filter(each -> !inBook.contains(each.id()) && isOurs(each))
            .filter(each -> each.power() != Power.DESTROYED)
            .toList();
    Set<MachineId> ids = new HashSet<>();
    found.forEach(each -> ids.add(each.id()));
    straysSince.keySet().retainAll(ids);
    Instant seenAt = listedAt == null ? Instant.EPOCH : listedAt;
    return found.stream()
        .map(each ->
            new Stray(
                each.id(), each.name(), straysSince.computeIfAbsent(each.id(), any -> seenAt)))
        .toList();
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
  List<MachineId> sample() {
    if (trust == null || looking) return List.of();
    List<MachineId> sample = trust.sample();
    looking = !sample.isEmpty();
    return sample;
  }

  /** The single answers: does each say what the list says? */
  void sampled(Event.Looked looked) {
    if (trust == null || !looked.complete()) return;
    boolean confirmed =
        trust.sample().stream()
            .allMatch(id -> trust.listed().contains(id) == isThere(looked.found().get(id)));
    trust = trust.sampled(confirmed);
  }

  private static boolean isThere(@Nullable Listed one) {
    return one != null && one.power() != Power.DESTROYED;
  }

  private void believe(Map<MachineId, Listed> all, Collection<Booked> book, Set<MachineId> inBook) {
    Set<MachineId> shown = new HashSet<>();
    Set<MachineId> ended = new HashSet<>();
    all.forEach((id, each) -> {
      if (!inBook.contains(id) && !isOurs(each)) return;
      if (each.power() == Power.DESTROYED) ended.add(id);
      else shown.add(id);
    });
    // What we take out ourselves is no loss: condemned ones, and those that left the book.
    book.stream()
        .filter(each -> each.state().standing() == Standing.CONDEMNED)
        .forEach(each -> ended.add(each.id()));
    ListTrust before = trust == null ? ListTrust.startingFrom(inBook) : trust;
    before.listed().stream()
        .filter(id -> !inBook.contains(id) && booked.containsKey(id))
        .forEach(ended::add);
    trust = before.seen(shown, ended);
  }

  private Sighting seen(Booked machine, @Nullable Listed now, Instant at) {
    Sighting before = booked.getOrDefault(machine.id(), NEVER);
    if (now == null) return missed(machine, before, at);
    Instant doubtful = before.hostDoubtfulSince();
    return shown(before, now, now.hostOk() ? null : doubtful == null ? at : doubtful);
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
