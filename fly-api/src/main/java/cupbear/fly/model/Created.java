// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/**
 * A Machine made.
 *
 * @param adopted true when the answer to the order was lost and the Machine was found by its name;
 *     the nonce of a lease taken at birth is then unknown
 */
public record Created(Machine machine, boolean adopted) {}
