/** URL that starts a test: the add-on reads the test's number from the query string. */
export function testAddress(testId: number): string {
  return `${location.origin}/teams?oruxt=${testId}`
}
