// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/**
 * One viewer.
 *
 * @param machine what identifies it; of two probes with the same, one waits for nobody: it is
 *     declined
 * @param address an IP address as text, never a name
 */
public record ProbeTarget(String machine, String address, int guacdPort, int rdpPort) {}
