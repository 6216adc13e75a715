/**
 * Path of a redirect that keeps the id of a usability test (PR-7): the tracker reads it from the URL once it has
 * loaded.
 */
export function keepingTest(to: string, search: string | URLSearchParams): string {
  const test = new URLSearchParams(search).get('oruxt')
  if (test === null || /[?&]oruxt=/.test(to)) return to
  return `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ oruxt: test })}`
}
