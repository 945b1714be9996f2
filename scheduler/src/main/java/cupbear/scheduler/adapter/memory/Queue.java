// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, in the order of service: fair across tenants, first come first served within one.
 *
 * <p>Start-time fair queueing: each waiter gets a tag, one above the later of the queue's virtual
 * time and its tenant's newest tag; the smallest tag is served first, the earlier arrival among
 * equals. So a tenant with a hundred waiters is a tenant with one, a hundred times. Virtual time is
 * the tag last served, but never beyond the front of the queue, since some regions are served
 * faster than others. A waiter that leaves unserved leaves no trace in its tenant's tags. Sessions
 * that lost their Machine come before all others: tag 0.
 *
 * <p>In Redis, all sorted sets scored by tag with the arrival number first in the member: {@code
 * waiters} (all), {@code waiters:<region>}, {@code waiters:tenant:<tenant>}; and a hash {@code
 * waiters:served} of tenants' newest served tags, the virtual time and the arrival counter, which
 * goes when the queue is empty.
 */
final class Queue {
  private static final long FIRST_OF_ALL = 0;

  private record Place(long tag, long number, SessionId session) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::tag).thenComparingLong(Place::number);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  private record Ticket(Place place, String tenant, List<Region> regions) {}

  private final Map<SessionId, Ticket> tickets = new TreeMap<>();
  private final TreeSet<Place> all = new TreeSet<>();
  private final Map<Region, NavigableSet<Place>> byRegion = new TreeMap<>();
  private final Map<String, NavigableSet<Place>> byTenant = new TreeMap<>();
  private final Map<String, Long> served = new TreeMap<>();
  private long virtualTime;
  private long arrivals;

  Queue copy() {
    Queue copy = new Queue();
    copy.tickets.putAll(tickets);
    copy.all.addAll(all);
    byRegion.forEach((region, places) -> copy.byRegion.put(region, new TreeSet<>(places)));
    byTenant.forEach((tenant, places) -> copy.byTenant.put(tenant, new TreeSet<>(places)));
    copy.served.putAll(served);
    copy.virtualTime = virtualTime;
    copy.arrivals = arrivals;
    return copy;
  }

  void join(SessionId session, String tenant, List<Region> regions) {
    enter(session, tenant, regions, Math.max(virtualTime, newestTag(tenant)) + 1);
  }

  /** Before everybody who has not had a Machine yet. */
  void joinFirst(SessionId session, String tenant, List<Region> regions) {
    enter(session, tenant, regions, FIRST_OF_ALL);
  }

  private void enter(SessionId session, String tenant, List<Region> regions, long tag) {
    Place place = new Place(tag, ++arrivals, session);
    tickets.put(session, new Ticket(place, tenant, regions));
    all.add(place);
    byTenant.computeIfAbsent(tenant, any -> new TreeSet<>()).add(place);
    for (Region region : regions) {
      byRegion.computeIfAbsent(region, any -> new TreeSet<>()).add(place);
    }
  }

  private long newestTag(String tenant) {
    NavigableSet<Place> waiting = byTenant.get(tenant);
    long newest = waiting == null ? 0 : waiting.last().tag();
    return Math.max(newest, served.getOrDefault(tenant, 0L));
  }

  /** Who is served next from this region. */
  Optional<SessionId> first(Region region) {
    NavigableSet<Place> places = byRegion.get(region);
    return places == null ? Optional.empty() : Optional.of(places.first().session());
  }

  /** It has its Machine. */
  void serve(SessionId session) {
    Ticket ticket = remove(session);
    if (ticket == null || all.isEmpty()) return;
    long tag = ticket.place().tag();
    served.merge(ticket.tenant(), tag, Math::max);
    Place front = all.ceiling(new Place(FIRST_OF_ALL + 1, 0, session));
    long reached = front == null ? tag : Math.min(tag, front.tag());
    virtualTime = Math.max(virtualTime, reached);
  }

  /** It goes without one. */
  void leave(SessionId session) {
    remove(session);
  }

  private @Nullable Ticket remove(SessionId session) {
    Ticket ticket = tickets.remove(session);
    if (ticket == null) return null;
    all.remove(ticket.place());
    drop(byTenant, ticket.tenant(), ticket.place());
    for (Region region : ticket.regions()) drop(byRegion, region, ticket.place());
    if (all.isEmpty()) startAfresh();
    return ticket;
  }

  private static <K> void drop(Map<K, NavigableSet<Place>> sets, K key, Place place) {
    NavigableSet<Place> places = sets.get(key);
    if (places == null) return;
    places.remove(place);
    if (places.isEmpty()) sets.remove(key);
  }

  /** Nobody waits, so nobody can be treated unfairly. */
  private void startAfresh() {
    served.clear();
    virtualTime = 0;
    arrivals = 0;
  }

  boolean contains(SessionId session) {
    return tickets.containsKey(session);
  }

  int ahead(SessionId session) {
    Ticket ticket = tickets.get(session);
    return ticket == null ? 0 : all.headSet(ticket.place()).size();
  }

  int size() {
    return all.size();
  }

  int waiting(Region region) {
    NavigableSet<Place> places = byRegion.get(region);
    return places == null ? 0 : places.size();
  }

  /** All of them, in the order of service. */
  List<SessionId> inOrder() {
    return all.stream().map(Place::session).toList();
  }
}
