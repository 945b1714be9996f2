// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

/** One value that holds, and where it comes from. */
public record Effective(String path, String value, Origin origin, Key<?> key) {}
