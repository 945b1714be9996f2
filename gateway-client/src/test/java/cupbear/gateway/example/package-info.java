// SPDX-License-Identifier: Apache-2.0
/** Small programs that use the client as a stranger would; quoted in the documentation. */
@NullMarked
package cupbear.gateway.example;

import org.jspecify.annotations.NullMarked;
