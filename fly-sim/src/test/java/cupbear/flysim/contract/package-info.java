// SPDX-License-Identifier: Apache-2.0
/** The Fly client and the Fly simulator, held against each other. */
@org.jspecify.annotations.NullMarked
package cupbear.flysim.contract;
