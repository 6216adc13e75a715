import type { CDPSession, Page } from '@playwright/test'
import { waitForPaint } from '../drive/driveScreen.ts'

/** The sizes at which every state fits, from the smallest phone to a monitor. */
export const checkedSizes = [
  [320, 568],
  [360, 640],
  [390, 844],
  [640, 360],
  [844, 390],
  [1100, 800],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
].map(([width = 0, height = 0]) => ({ width, height }))

type Size = (typeof checkedSizes)[number]

/**
 * Returns what does not fit on the page at each of these sizes. Elements of the selector `atOnce` must be visible
 * without scrolling on a phone held sideways. Leaves the page at its own size.
 */
export async function layoutFaultsAt(
  page: Page,
  sizes: readonly Size[],
  atOnce?: string,
): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  // The compiler names inner functions by a call of it.
  await page.evaluate('globalThis.__name = each => each')
  const found: string[] = []
  for (const size of sizes) {
    await resize(page, devtools, size)
    const isSideways = size.width > size.height && size.height <= 560
    const faults = await layoutFaults(page, isSideways ? atOnce : undefined)
    found.push(...faults.map(fault => `${size.width}×${size.height}: ${fault}`))
  }
  await devtools.detach()
  return found
}

/** Gives the page this size, as long as the connection lasts. In full screen Playwright cannot resize it. */
export async function resize(page: Page, devtools: CDPSession, { width, height }: Size) {
  await devtools.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await page.waitForFunction(size => innerWidth === size, width)
  // Live screens are hidden for a moment after a rotation.
  await page.waitForFunction(() => {
    const { visibility, opacity } = document.documentElement.style
    return visibility !== 'hidden' && opacity !== '0'
  })
  await waitForPaint(page)
}

/**
 * Returns what does not fit on the page at its size: sideways scrolling, cut or broken texts, texts and controls that
 * overlap, letters in the colour of their background, controls under 44 px, a stage of the message's word that is too
 * low, a figure that warns and is not in sight, keys of a dialog or elements `atOnce` that need scrolling, what these
 * keys cover, and controls below a toast.
 */
function layoutFaults(page: Page, atOnce?: string): Promise<string[]> {
  return page.evaluate(atOnce => {
    /** Longer texts, which users type, may end in an ellipsis. */
    const longestWhole = 16
    const leastControl = 44
    const faults = new Set<string>()
    // A dialog or menu covers the rest of the page.
    const overlays = [
      ...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]'),
    ]
    const scope = overlays.findLast(each => each.checkVisibility()) ?? document.body

    if (document.documentElement.scrollWidth > innerWidth)
      faults.add(`scrolls sideways by ${document.documentElement.scrollWidth - innerWidth} px`)

    interface Box {
      left: number
      top: number
      right: number
      bottom: number
    }
    interface Shown {
      name: string
      element: Element
      box: Box
      visible: Box
    }

    function isShown(element: Element): boolean {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        return false
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (getComputedStyle(each).clipPath === 'inset(50%)') return false
      }
      return true
    }

    /** The part of a box that its ancestors show: none of a row that no longer fits into a list of whole rows. */
    function visiblePart(element: Element, box: Box): Box {
      const part = { ...box }
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (getComputedStyle(each).overflow === 'visible') continue
        const { left, right, top, bottom } = each.getBoundingClientRect()
        part.left = Math.max(part.left, left)
        part.right = Math.min(part.right, right)
        part.top = Math.max(part.top, top)
        part.bottom = Math.min(part.bottom, bottom)
      }
      return part
    }

    /** The replay shows the driver's screen scaled to a box. */
    function scaleOf(element: HTMLElement): number {
      return element.offsetWidth > 0
        ? element.getBoundingClientRect().width / element.offsetWidth
        : 1
    }

    /** Text nodes with their lines. A line's box is as high as capital letters, without the space after the last one. */
    function textsIn(root: Element): Shown[] {
      const found: Shown[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        const text = node.textContent?.trim() ?? ''
        if (!element || text === '' || element.closest('svg, style, script, noscript, option'))
          continue
        if (!isShown(element)) continue
        const { fontSize, letterSpacing } = getComputedStyle(element)
        const capitals = Number.parseFloat(fontSize) * 0.7 * scaleOf(element)
        const spaceAfter = Math.max(0, Number.parseFloat(letterSpacing) || 0) * scaleOf(element)
        const range = document.createRange()
        range.selectNodeContents(node)
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
        for (const { left, top, right, bottom } of rects) {
          const middle = (top + bottom) / 2
          const half = Math.min(capitals / 2, (bottom - top) / 2)
          const box = {
            left,
            right: right - spaceAfter,
            top: middle - half,
            bottom: middle + half,
          }
          const visible = visiblePart(element, box)
          if (overlap(visible, visible) <= 0) continue
          found.push({ name: `“${text.slice(0, 40)}”`, element, box, visible })
        }
        if (rects.length > 1) checkWords(node as Text, range)
      }
      return found
    }

    /** A word that is written over two lines is broken, except after a hyphen. */
    function checkWords(node: Text, range: Range) {
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        if (word.length > longestWhole) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => top)
        if (Math.max(...tops) - Math.min(...tops) > 4) faults.add(`breaks the word “${word}”`)
      }
    }

    /** A text must be within the ancestors that clip it, and within the nearest one that is painted as a box. */
    function checkText({ name, element, box }: Shown) {
      let isBoxed = false
      let hasBackground = false
      const { color, webkitTextStrokeWidth } = getComputedStyle(element)
      const isFilled = webkitTextStrokeWidth === '0px'
      for (
        let each: Element | null = element;
        each && each !== document.body;
        each = each.parentElement
      ) {
        const style = getComputedStyle(each)
        const outer = each.getBoundingClientRect()
        const isTransparent = style.backgroundColor === 'rgba(0, 0, 0, 0)'
        if (!hasBackground && isFilled && style.backgroundColor === color)
          faults.add(`${name} has the colour of its background`)
        hasBackground ||= !isTransparent
        const scrollsX = /auto|scroll/.test(style.overflowX)
        const scrollsY = /auto|scroll/.test(style.overflowY)
        const over = Math.max(outer.left - box.left, box.right - outer.right)
        const overY = Math.max(outer.top - box.top, box.bottom - outer.bottom)
        if (scrollsX && over > 1) return
        if (scrollsY && overY > 1) return
        const isCut = style.textOverflow === 'ellipsis' && name.length - 2 > longestWhole
        if (style.overflowX !== 'visible' && !scrollsX && over > 1) {
          if (!isCut) faults.add(`cuts ${name} by ${Math.round(over)} px`)
          return
        }
        if (style.overflowY !== 'visible' && !scrollsY && overY > 1) {
          faults.add(`cuts ${name} by ${Math.round(overY)} px in height`)
          return
        }
        const isPainted =
          style.display !== 'inline' &&
          // A tick is no box.
          outer.width > 16 &&
          (!isTransparent || style.borderInlineWidth !== '0px')
        if (isPainted && !isBoxed) {
          isBoxed = true
          if (over > 1) faults.add(`${name} is ${Math.round(over)} px beside its box`)
          else if (overY > 1)
            faults.add(`${name} is ${Math.round(overY)} px above or below its box`)
        }
        if (style.position === 'fixed') return
      }
      const beside = Math.max(-box.left, box.right - innerWidth)
      if (beside > 1) faults.add(`${name} is ${Math.round(beside)} px beside the screen`)
    }

    function controlsIn(root: Element): Shown[] {
      const found: Shown[] = []
      const all =
        'button, a[href], select, textarea, summary, input:not([type=hidden]), [role^=menuitem]'
      for (const element of root.querySelectorAll(all)) {
        if (!isShown(element)) continue
        // Links within a sentence are as high as its lines.
        if (getComputedStyle(element).display === 'inline') continue
        const target =
          element instanceof HTMLInputElement && /checkbox|radio|file/.test(element.type)
            ? (element.closest('label') ?? element)
            : element
        const { left, top, right, bottom } = target.getBoundingClientRect()
        if (right - left < 2 || bottom - top < 2) continue
        const label = element.getAttribute('aria-label') ?? element.textContent ?? ''
        const name = `${element.localName} ${label.trim().slice(0, 40)}`
        const box = { left, top, right, bottom }
        found.push({ name, element: target, box, visible: visiblePart(target, box) })
      }
      return found
    }

    function checkControl({ name, element, box }: Shown) {
      if (isCovered(element)) faults.add(`${name} cannot be pressed`)
      const width = box.right - box.left
      const height = box.bottom - box.top
      if (Math.min(width, height) >= leastControl - 0.5 || reaches(element)) return
      faults.add(`${name} is ${Math.round(width)} × ${Math.round(height)} px`)
    }

    /**
     * True if a press on its centre hits another element. A slider is pressed at its thumb, and a transparent cover
     * anywhere.
     */
    function isCovered(element: Element): boolean {
      if (element instanceof HTMLInputElement && element.type === 'range') return false
      if (element.localName === 'a' && element.textContent === '') return false
      element.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      const isLabel = element instanceof HTMLInputElement && hit?.closest('label') !== null
      return hit !== null && !isLabel && !element.contains(hit) && !hit.contains(element)
    }

    /** True if a press 21 px beside its centre still hits the control, which may be larger than it looks. */
    function reaches(element: Element): boolean {
      element.scrollIntoView({ block: 'nearest' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const half = leastControl / 2 - 1
      return [
        [x - half, y],
        [x + half, y],
        [x, y - half],
        [x, y + half],
      ].every(([px = 0, py = 0]) => element.contains(document.elementFromPoint(px, py)))
    }

    /** The nearest ancestor that does not scroll with the page: what is on another layer may cover it. */
    function layerOf(element: Element): Element | null {
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(each).position)) return each
        if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each
      }
      return null
    }

    function overlap(a: Box, b: Box): number {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      return Math.min(width, height)
    }

    /** True if this is on a layer of its own, such as a message over the lap board, which hides all of the other. */
    function hides(above: Shown, other: Shown): boolean {
      let each: Element | null = above.element
      // A control alone is no layer: it must not cover a text.
      if (controls.some(({ element }) => element === each)) each = each.parentElement
      for (; each && !each.contains(other.element); each = each.parentElement) {
        const { backgroundColor } = getComputedStyle(each)
        if (
          backgroundColor === 'rgba(0, 0, 0, 0)' ||
          controls.some(({ element }) => element === each)
        )
          continue
        const { left, right, top, bottom } = each.getBoundingClientRect()
        const { visible } = other
        const isInside = visible.left >= left && visible.right <= right
        if (isInside && visible.top >= top - 1 && visible.bottom <= bottom + 1) return true
      }
      return false
    }

    function checkOverlaps() {
      const layers = new Map<Element, Element | null>()
      const layer = (element: Element) => {
        if (!layers.has(element)) layers.set(element, layerOf(element))
        return layers.get(element)
      }
      // A control without content is a transparent cover.
      const solid = controls.filter(
        ({ element }) => element.childElementCount > 0 || element.textContent !== '',
      )
      const all = [...texts, ...solid].toSorted((a, b) => a.box.top - b.box.top)
      for (const [index, a] of all.entries()) {
        for (let next = index + 1; next < all.length; next++) {
          const b = all[next]
          if (!b || b.box.top > a.box.bottom) break
          if (a.element.contains(b.element) || b.element.contains(a.element)) continue
          if (overlap(a.visible, b.visible) <= 2 || layer(a.element) !== layer(b.element)) continue
          if (!hides(a, b) && !hides(b, a)) faults.add(`${a.name} and ${b.name} overlap`)
        }
      }
    }

    /** Elements that must be visible before anything is scrolled. */
    function checkAtOnce(selector: string) {
      scope.scrollTop = 0
      scrollTo(0, 0)
      const all = [...scope.querySelectorAll(selector)].filter(isShown)
      if (all.length === 0) faults.add(`has no ${selector}`)
      for (const element of all) {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        const visible = visiblePart(element, { left, top, right, bottom })
        const hidden = Math.max(bottom - Math.min(visible.bottom, innerHeight), visible.top - top)
        const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
        if (hidden > 1)
          faults.add(`${name.trim().slice(0, 40)} is ${Math.round(hidden)} px out of sight`)
      }
    }

    /** Checks that the keys of a dialog cover nothing at its end, and that nothing appears below them. */
    function checkFoot(foot: Element) {
      for (const scrollTop of [scope.scrollHeight, 0]) {
        scope.scrollTop = scrollTop
        const { left, right, top, bottom } = foot.getBoundingClientRect()
        const keys = { left, right, top, bottom }
        const below = { left, right, top: bottom, bottom: innerHeight }
        for (const { name, element, visible } of [...controlsIn(scope), ...textsIn(scope)]) {
          if (!isBefore(element, foot)) continue
          if (scrollTop > 0 && overlap(visible, keys) > 0.5)
            faults.add(`${name} is covered by the keys`)
          if (overlap(visible, below) > 1) faults.add(`${name} appears below the keys`)
        }
      }
    }

    function isBefore(element: Element, other: Element): boolean {
      const range = document.createRange()
      range.setStartBefore(other)
      return range.comparePoint(element, element.childNodes.length) < 0
    }

    /** Checks that each figure of the board that warns is in sight, in one of its places. */
    function checkWarnings() {
      if (scope !== document.body || document.querySelector('[data-stop-keys]')) return
      // By its name: two places of a clock may differ by a second.
      const isName = '[data-warns] > small'
      const seen = texts.filter(({ element }) => element.matches(isName))
      for (const { textContent } of document.querySelectorAll(isName))
        if (!seen.some(({ element }) => element.textContent === textContent))
          faults.add(`hides the figure “${textContent}”, which warns`)
    }

    /** Checks that no toast covers the controls of a stop, a pad or a dialog. */
    function checkToasts() {
      const kept = '[data-stop-keys], [data-pad], [data-lane], [role=dialog], [role=alertdialog]'
      for (const toast of document.querySelectorAll('[aria-live] [data-kind]')) {
        const box = toast.getBoundingClientRect()
        for (const { name, element, visible } of controls)
          if (element.closest(kept) && element.textContent !== '' && overlap(box, visible) > 0)
            faults.add(`a toast covers ${name}`)
      }
    }

    if (scope.matches('[role=dialog], [role=alertdialog]')) {
      scope.querySelectorAll('[data-choices]').forEach(checkFoot)
      checkAtOnce('button[type=submit], [data-choices] button')
    }
    if (atOnce !== undefined) checkAtOnce(atOnce)
    const controls = controlsIn(scope)
    const texts = textsIn(scope)
    texts.forEach(checkText)
    checkOverlaps()
    checkToasts()
    checkWarnings()
    controls.forEach(checkControl)
    // The word of a column beside a map, which may be cut as a whole.
    for (const word of scope.querySelectorAll('[data-compact] [data-look]')) {
      const { left, top, right, bottom } = word.getBoundingClientRect()
      const visible = visiblePart(word, { left, top, right, bottom })
      const size = Number.parseFloat(getComputedStyle(word).fontSize)
      if (overlap(visible, visible) <= 0)
        faults.add(`the word “${word.textContent}” is not visible`)
      if (size < 28) faults.add(`the word “${word.textContent}” is ${Math.round(size)} px high`)
    }
    const leastStage = innerWidth <= 320 ? 120 : 140
    for (const stage of scope.querySelectorAll('[data-stage=true]')) {
      const { height } = stage.getBoundingClientRect()
      if (height < leastStage - 0.5) faults.add(`the word’s stage is ${Math.round(height)} px high`)
    }
    return [...faults]
  }, atOnce)
}
