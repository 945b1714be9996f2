// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounded, in order, and honest about what it had to drop. */
class InboxTest {
  private final Deque<Runnable> thread = new ArrayDeque<>();
  private final List<Event> heard = new ArrayList<>();
  private final Inbox inbox = new Inbox(4, thread::add, heard::add);

  @Test
  void beatsBecomeOne() {
    inbox.put(new Event.Beat());
    inbox.put(new Event.Expired(1));
    inbox.put(new Event.Beat());
    run();
    assertThat(heard).containsExactly(new Event.Expired(1), new Event.Beat());
  }

  @Test
  void onlyTheNewestObservationCounts() {
    inbox.put(new Event.Seen(null, null, false));
    inbox.put(new Event.Seen(null, null, true));
    run();
    assertThat(heard).containsExactly(new Event.Seen(null, null, true));
  }

  @Test
  void everythingElseIsKeptInOrder() {
    IntStream.range(0, 4).forEach(i -> inbox.put(new Event.Expired(i)));
    run();
    assertThat(heard)
        .containsExactly(
            new Event.Expired(0), new Event.Expired(1), new Event.Expired(2), new Event.Expired(3));
  }

  @Test
  void whatDoesNotFitIsCountedAndTold() {
    IntStream.range(0, 7).forEach(i -> inbox.put(new Event.Expired(i)));
    run();
    assertThat(heard).hasSize(5).contains(new Event.Overflowed(3));
    heard.clear();
    inbox.put(new Event.Expired(9));
    run();
    assertThat(heard).containsExactly(new Event.Expired(9));
  }

  @Test
  void oneRunnableIsEnoughForMany() {
    inbox.put(new Event.Expired(1));
    inbox.put(new Event.Expired(2));
    assertThat(thread).hasSize(1);
  }

  @Test
  void whatIsPutWhileItReadsIsReadToo() {
    List<Event> echo = new ArrayList<>();
    Inbox[] self = new Inbox[1];
    self[0] =
        new Inbox(
            4,
            thread::add,
            event -> {
              echo.add(event);
              if (echo.size() < 3) self[0].put(new Event.Expired(echo.size()));
            });
    self[0].put(new Event.Beat());
    run();
    assertThat(echo).hasSize(3);
  }

  @Test
  void onceClosedNothingIsHeard() {
    inbox.put(new Event.Expired(1));
    inbox.close();
    inbox.put(new Event.Expired(2));
    run();
    assertThat(heard).isEmpty();
  }

  @Test
  void aFloodLeavesTheThreadToOthersInBetween() {
    Inbox large = new Inbox(Inbox.LIMIT, thread::add, heard::add);
    IntStream.range(0, 200).forEach(i -> large.put(new Event.Expired(i)));
    thread.removeFirst().run();
    assertThat(heard).hasSizeLessThan(200);
    run();
    assertThat(heard).hasSize(200);
  }

  private void run() {
    while (!thread.isEmpty()) thread.removeFirst().run();
  }
}
