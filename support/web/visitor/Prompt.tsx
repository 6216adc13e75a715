import { createRoot, type Root } from 'react-dom/client'
import { focusTitle } from '#web/ui/focusTitle.ts'
import { PromptCard, type PromptOptions } from './PromptCard.tsx'

/**
 * An agent's request, with the interface of the add-on's ConfirmWindow, which it replaces. It is not
 * modal, because the team must stay able to send a message. While the driver reads one it is postponed.
 */
export class Prompt {
  readonly #options: PromptOptions
  #hide = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #reject: (reason: string) => void = () => {}

  constructor(options: PromptOptions) {
    this.#options = options
  }

  /** Shows the prompt. Resolves with the answer; rejects when the request is withdrawn before. */
  mount(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      let card: Card | null = null
      this.#hide = showMessageWithoutOverlay(
        () => {
          card = new Card(this.#options, resolve)
          if (this.#options.rings) ring()
        },
        () => card?.remove(),
      )
      const { unansweredMs } = this.#options
      if (unansweredMs !== undefined) this.#timer = setTimeout(() => resolve(false), unansweredMs)
    })
  }

  remove() {
    clearTimeout(this.#timer)
    this.#hide()
    this.#reject('no answer')
  }
}

/**
 * The prompt's card on the page. On close the focus returns to the previous element, or to the title if
 * the page has changed.
 */
class Card {
  readonly #place = document.createElement('div')
  readonly #root: Root
  readonly #before = document.activeElement

  constructor(options: PromptOptions, answer: (allowed: boolean) => void) {
    document.body.append(this.#place)
    this.#root = createRoot(this.#place)
    this.#root.render(<PromptCard {...options} onAnswer={answer} />)
  }

  remove() {
    this.#root.unmount()
    this.#place.remove()
    if (!this.#before?.isConnected) focusTitle()
    else if (this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true })
  }
}

/** Plays the ring tone of a call once. Silent if the browser requires a user gesture first. */
function ring() {
  new Audio('/support/ring.wav').play().catch(() => undefined)
}

/** Attribute of a screen that must not be covered, because the driver reads a message. */
const messageShownMark = 'data-undisturbed'

/**
 * Shows something while no screen has the mark, and hides it otherwise. Returns the cleanup function,
 * which hides it, too.
 */
function showMessageWithoutOverlay(show: () => void, hide: () => void): () => void {
  let shown = false
  function update() {
    const isAllowed = document.querySelector(`[${messageShownMark}]`) === null
    if (isAllowed === shown) return
    shown = isAllowed
    if (isAllowed) show()
    else hide()
  }
  const observer = new MutationObserver(update)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: [messageShownMark],
  })
  update()
  return () => {
    observer.disconnect()
    if (shown) hide()
    shown = false
  }
}
