// SPDX-License-Identifier: Apache-2.0
/** What a probe costs, measured against a server that always answers well. */
@NullMarked
package cupbear.probe.bench;

import org.jspecify.annotations.NullMarked;
