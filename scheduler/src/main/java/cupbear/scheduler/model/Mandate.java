// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** The right to lead one regional pool. The store refuses every write under an older one. */
public record Mandate(PoolName pool, Region region, Epoch epoch) {}
