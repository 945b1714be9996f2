// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

/** Chance without dice: the same on any machine and in any version of Java. */
final class StableHash {
  private StableHash() {}

  static long of(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    return hash ^ (hash >>> 32);
  }

  /** As above, and every bit of the text moves every bit of the hash: fit for comparing. */
  static long mixed(String text) {
    long hash = of(text);
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
