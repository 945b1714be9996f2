// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

/** An answer that the API does not allow; never leaves this package. */
final class GarbledAnswer extends RuntimeException {
  GarbledAnswer(String detail) {
    super(detail, null, false, false);
  }
}
