// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

/** A login for one session on one Machine. */
public record Credentials(String username, Secret password) {}
