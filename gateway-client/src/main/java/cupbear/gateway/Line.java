// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * What every conversation of one client shares.
 *
 * @param context runs a task on the one thread that owns all state of this client
 * @param open conversations that have not ended, so that closing the client ends them
 */
record Line(
    Http http,
    Replicas replicas,
    Time time,
    DoubleSupplier dice,
    Consumer<Runnable> context,
    Set<Conversation<?>> open) {}
