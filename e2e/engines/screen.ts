import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { patience } from '#testing/patience.ts'
import type { Reading, Tab } from './browser.ts'

const timeoutMs = 15_000 * patience
const clickTimeoutMs = 3000 * patience
const pollIntervalMs = 100

/** A page as a user sees it: finds what can be pressed, filled in and read by its text. */
export class Screen {
  readonly tab: Tab
  readonly #origin: string

  constructor(tab: Tab, origin: string) {
    this.tab = tab
    this.#origin = origin
  }

  open(path: string) {
    return this.tab.open(`${this.#origin}${path}`)
  }

  /** Presses the visible link or button of this name, else one whose name contains it. */
  async press(name: string, selector: 'a' | 'a, button' = 'a, button') {
    let isTried = false
    const press = async () => {
      // The click of the last try may have arrived late, or its response was lost with the page.
      if (isTried && (await this.tab.run(clickTarget)) === 'element') return 'element'
      const point = await this.tab.run(preparePress, name, selector, isTried)
      if (!point) return isTried ? this.tab.run(clickTarget) : null
      isTried = true
      await this.tab.press(point.x, point.y)
      return this.#clicked()
    }
    await this.#poll(`the button ${name}`, press, target => target === 'element')
  }

  /** Presses the middle of the page. */
  async pressMiddle() {
    const { x, y } = await this.tab.run(() => ({ x: innerWidth / 2, y: innerHeight / 2 }))
    await this.tab.press(x, y)
  }

  /** Types into the field with this label. */
  async fill(label: string, text: string) {
    const field = `the field ${label}`
    await this.#poll(field, () => this.tab.run(focusField, label), Boolean)
    await this.tab.type(text)
    await this.#poll(`${text} in ${field}`, () => this.tab.run(focusField, label, text), Boolean)
  }

  /** Waits until the text is visible in the first visible element that matches the selector. */
  async see(text: RegExp, selector = 'body') {
    const read = () => this.tab.run(visibleText, selector)
    await this.#poll(`${text} in ${selector}`, read, shown => text.test(shown))
  }

  /** Waits until no element that matches the selector is visible, or the first visible one has no text. */
  async seeNo(selector: string) {
    const read = () => this.tab.run(visibleText, selector)
    await this.#poll(`no ${selector}`, read, shown => shown === '')
  }

  /** Waits until a function that runs in the page returns what is expected. */
  async until<Args extends unknown[], Result>(
    act: (...args: Args) => Result | Promise<Result>,
    expected: Result,
    ...args: Args
  ) {
    const read = () => this.tab.run(act, ...args)
    await this.#poll(act.name, read, result => isDeepStrictEqual(result, expected))
  }

  locate(reading: Reading) {
    return this.tab.locate(reading)
  }

  path(): Promise<string> {
    return this.tab.run(() => location.pathname)
  }

  /**
   * Waits for the click of a press, which a busy page handles late: a second press could reach the next page.
   * Without a click, which a page that opens can swallow, the caller presses again.
   */
  async #clicked(): Promise<string | null> {
    const endAt = performance.now() + clickTimeoutMs
    while (performance.now() < endAt) {
      // A page that opens cannot be read.
      const target = await this.tab.run(clickTarget).catch(() => null)
      if (target) return target
      await delay(pollIntervalMs)
    }
    return null
  }

  /** Reads until the value is right. Concurrent tests cannot use Vitest's `expect.poll`. */
  async #poll<Value>(
    what: string,
    read: () => Promise<Value>,
    isRight: (value: Value) => boolean,
  ): Promise<Value> {
    const endAt = performance.now() + timeoutMs
    for (;;) {
      let found: unknown
      try {
        const value = await read()
        if (isRight(value)) return value
        found = value
      } catch (error) {
        // A page that reloads cannot be read.
        found = String(error)
      }
      if (performance.now() > endAt) {
        const page = await this.tab.run(() => `${location.href}\n${document.body.innerText}`)
        throw new Error(`Waited for ${what}, found ${JSON.stringify(found)} on ${page}`)
      }
      await delay(pollIntervalMs)
    }
  }
}

/**
 * Runs in the page: returns the middle of the link or button and records the next click; null while it is missing,
 * covered or moving. Content that loads may still move or replace it before the press arrives.
 */
async function preparePress(
  name: string,
  selector: string,
  isTried: boolean,
): Promise<{ x: number; y: number } | null> {
  const wanted = name.toLowerCase()
  const textOf = (element: HTMLElement) =>
    (element.getAttribute('aria-label') ?? element.innerText).trim().toLowerCase()
  const find = () => {
    const enabled = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      // A link cannot be `:disabled`.
      each => each.checkVisibility() && !each.matches(':disabled, [aria-disabled=true]'),
    )
    const element =
      enabled.find(each => textOf(each) === wanted) ??
      enabled.find(each => textOf(each).includes(wanted))
    if (!element) return null
    element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const point = { x: x + width / 2, y: y + height / 2 }
    // Another element may cover it, such as a toast or a dialog that closes.
    const isOnTop = element.contains(document.elementFromPoint(point.x, point.y))
    return isOnTop ? { element, point } : null
  }
  const before = find()
  await new Promise(resolve => setTimeout(resolve, 100))
  const now = find()
  if (!now || before?.point.x !== now.point.x || before.point.y !== now.point.y) return null
  // The click of the last try may have arrived since, and not have opened the next page yet.
  if (isTried && sessionStorage.getItem('click') === 'element') return null
  sessionStorage.removeItem('click')
  // Another render may replace the element or extend its text before the press arrives.
  const onClick = ({ target }: Event) => {
    const clicked = (target as Element).closest<HTMLElement>(selector)
    const text = clicked ? textOf(clicked) : 'no button'
    const isElement = clicked === now.element || (clicked && text.includes(wanted))
    sessionStorage.setItem('click', isElement ? 'element' : `elsewhere: ${text}`)
  }
  document.addEventListener('click', onClick, { capture: true, once: true })
  return now.point
}

/** Runs in the page: returns what was clicked since `preparePress`, also if the click opened another page. */
function clickTarget(): string | null {
  return sessionStorage.getItem('click')
}

/** Runs in the page: focuses the field. Returns whether it is visible and, with a value, whether it has that value. */
function focusField(name: string, value = ''): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input')]
  const field = fields.find(each =>
    [each.getAttribute('aria-label'), ...[...(each.labels ?? [])].map(label => label.innerText)]
      .map(text => text?.trim())
      .includes(name),
  )
  if (!field?.checkVisibility()) return false
  field.focus()
  return value === '' || field.value === value
}

/** Runs in the page: returns the text of the first visible element that matches; empty without one. */
function visibleText(selector: string): string {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  return found.find(element => element.checkVisibility())?.innerText ?? ''
}
