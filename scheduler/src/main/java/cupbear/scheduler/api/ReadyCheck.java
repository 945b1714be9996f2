// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

/** One named reason why requests may, or may not, be sent here. Asked on an event loop: cheap. */
public interface ReadyCheck {
  Finding look();

  /** What it found, in words: {@code store reachable}, {@code store unreachable for 12s}. */
  record Finding(boolean ready, String words) {}
}
