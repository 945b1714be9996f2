// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Policy;

/** What is declared for one regional pool; swapped whole. */
public record Declaration(Desired desired, Policy policy) {}
