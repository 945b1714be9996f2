// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP API, as docs/openapi.yaml says it. A request goes through trace, limits, authentication,
 * authorisation, rate and parser before anything else of the house hears of it; behind the parser
 * nobody sees JSON. Everything here runs on the event loop of its connection and never waits.
 */
@org.jspecify.annotations.NullMarked
package cupbear.scheduler.api;
