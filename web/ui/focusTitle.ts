/** Gives a page's title the focus: it is read out, and Tab begins there. Boards have none that takes it. */
export function focusTitle() {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}
