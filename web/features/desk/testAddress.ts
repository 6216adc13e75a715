/** What somebody opens to begin a test: the add-on looks for its number in the address. */
export function testAddress(testId: number): string {
  return `${location.origin}/teams?oruxt=${testId}`
}
