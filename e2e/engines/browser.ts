/** Position and speed that a phone's receiver reports. */
export interface Reading {
  latitude: number
  longitude: number
  speed: number
}

/** A page in a browser of its own: it shares no cookies with the others. */
export interface Tab {
  /** Opens an address and waits until it has loaded. */
  open(url: string): Promise<void>
  /** Calls a function in the page. It can refer to nothing but its arguments. */
  run<Args extends unknown[], Result>(
    act: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>
  /** Presses and releases at a point of the viewport, as a user would: it unlocks audio. */
  press(x: number, y: number): Promise<void>
  /** Types into the focused field. */
  type(text: string): Promise<void>
  /** Sets the reading of the receiver. Documents opened by `open` later start without one. */
  locate(reading: Reading): Promise<void>
  /** Errors on the page's console, and uncaught ones. */
  readonly errors: readonly string[]
}

export interface Viewport {
  width: number
  height: number
}

/** A running browser engine. Disposing it ends its processes. */
export interface Engine extends AsyncDisposable {
  newTab(viewport: Viewport): Promise<Tab>
}

/** Pointer actions of WebDriver, the same in its classic and its bidirectional protocol. */
export function pressAt(x: number, y: number) {
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  }
}

/** Key actions of WebDriver. */
export function keysOf(text: string) {
  return {
    type: 'key',
    id: 'keyboard',
    actions: Array.from(text).flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  }
}

/** Returns an expression for a page: a promise of the call's result as JSON. */
export function callInPage(act: (...args: never[]) => unknown, args: readonly unknown[]): string {
  return `(async () => JSON.stringify(await (${act.toString()})(...${JSON.stringify(args)})))()`
}

/** Reads what `callInPage` resolves with; a function without a result gives undefined. */
export function resultOf(json: unknown) {
  return typeof json === 'string' ? JSON.parse(json) : undefined
}
