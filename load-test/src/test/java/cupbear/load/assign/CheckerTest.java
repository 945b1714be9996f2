// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The checker says nothing about a good history, and finds every kind of broken one. */
class CheckerTest {
  private static final Checker.Aftermath QUIET =
      new Checker.Aftermath(Set.of("s1", "s2"), Set.of("s1", "s2"), Set.of(), Set.of(), Set.of());

  private static Sighting first() {
    return new Sighting("k1", "s1", "m1", 1, 10, 20);
  }

  private static List<String> check(Sighting... sightings) {
    return Checker.check(List.of(sightings), QUIET);
  }

  @Test
  @DisplayName("one after the other on the same Machine, and a repeated answer: fine")
  void fine() {
    Sighting again = new Sighting("k1", "s1", "m1", 1, 12, 20);
    assertThat(check(first(), again, new Sighting("k2", "s2", "m1", 2, 20, 30))).isEmpty();
  }

  @Test
  @DisplayName("an answer that was read when its time was over: nobody's")
  void late() {
    assertThat(check(new Sighting("k1", "s1", "m1", 1, 40, 20), second(15, 30, 2))).isEmpty();
  }

  private static Sighting second(long from, long until, long epoch) {
    return new Sighting("k2", "s2", "m1", epoch, from, until);
  }

  @Test
  @DisplayName("two sessions on one Machine at once")
  void twoAtOnce() {
    assertThat(check(first(), second(19, 30, 2)))
        .singleElement()
        .asString()
        .contains("m1 was in two sessions at once");
  }

  @Test
  @DisplayName("one key, two sessions")
  void twoForAKey() {
    assertThat(check(first(), new Sighting("k1", "s2", "m2", 2, 30, 40)))
        .singleElement()
        .asString()
        .contains("key k1 was answered with the sessions [s1, s2]");
  }

  @Test
  @DisplayName("one session, two Machines")
  void twoMachines() {
    assertThat(check(first(), new Sighting("k1", "s1", "m2", 1, 30, 40)))
        .singleElement()
        .asString()
        .contains("session s1 was seen as");
  }

  @Test
  @DisplayName("an epoch that was given twice, and one that went back")
  void epochs() {
    assertThat(check(first(), new Sighting("k2", "s2", "m2", 1, 30, 40)))
        .singleElement()
        .asString()
        .contains("epoch 1 was given to s1 and to s2");
    assertThat(check(first(), second(30, 40, 0)))
        .singleElement()
        .asString()
        .contains("went back to an earlier epoch");
  }

  @Test
  @DisplayName("delivered, but never granted; granted, but never over; delivered, but lost")
  void accounts() {
    assertThat(Checker.check(List.of(new Sighting("k3", "s3", "m3", 3, 1, 2)), QUIET))
        .singleElement()
        .asString()
        .contains("s3 was delivered, and the store never granted it");
    assertThat(after(Set.of("s1"), Set.of()))
        .singleElement()
        .asString()
        .contains("s2 was granted, and nobody knows how it ended");
    assertThat(after(Set.of("s2"), Set.of("s1")))
        .singleElement()
        .asString()
        .contains("s1 was delivered, and the store has lost it");
    assertThat(after(Set.of("s1"), Set.of("s2"))).as("lost before anybody heard of it").isEmpty();
  }

  private static List<String> after(Set<String> over, Set<String> unknown) {
    return Checker.check(
        List.of(first()),
        new Checker.Aftermath(Set.of("s1", "s2"), over, unknown, Set.of(), Set.of()));
  }

  @Test
  @DisplayName("a session that never ends, and a Machine that never comes back")
  void leaks() {
    Checker.Aftermath leaking =
        new Checker.Aftermath(Set.of("s1"), Set.of("s1"), Set.of(), Set.of("s1"), Set.of("m1"));
    assertThat(Checker.check(List.of(first()), leaking))
        .containsExactly("session s1 never ended", "Machine m1 never came back");
  }
}
