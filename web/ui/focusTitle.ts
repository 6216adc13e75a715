/**
 * Focuses the page's title: screen readers announce it, and Tab continues from there. Boards have no
 * focusable title.
 */
export function focusTitle() {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}
