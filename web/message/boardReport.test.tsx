import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import { Receipt, type ReceiptProps } from '#web/ui/board/Receipt.tsx'
import { noReceipt } from './boardReceipt.tsx'
import { withReport } from './boardReport.tsx'

const takenBack: Answer = {
  id: '018f4ad3-0000-4000-8000-000000000001',
  number: 2,
  kind: 'TakenBack',
  version: 3,
  at: 4000,
  receivedAt: 4100,
}

/** The parts of the live region: screen readers read only a part that changes. */
function announced(receipt: ReceiptProps, report: Answer | null) {
  const html = renderToStaticMarkup(<Receipt {...withReport(receipt, report, 5000)} />)
  const region = /<output [^>]*aria-atomic="false"[^>]*>(.*?)<\/output>/.exec(html)?.[1] ?? ''
  return Array.from(region.matchAll(/<span>(.*?)<\/span>/g), ([, text]) => text)
}

test('the end of a report announces no delivery again', () => {
  const copied = { text: 'Copied after 0.3 s', announcement: 'Pit: Copied after 0.3 s' }
  expect(announced(copied, takenBack)).toEqual([copied.announcement, '. PROBLEM TAKEN BACK.'])
  expect(announced(copied, null)).toEqual([copied.announcement])
  expect(announced(noReceipt, takenBack)).toEqual(['', 'PROBLEM TAKEN BACK.'])
})

test.each([
  ['Eva', 'Eva has it'],
  [null, 'team has it'],
])('a problem beside an order is one plate and a sentence of its own: %s', (by, has) => {
  const order = { text: 'Sent, not shown', announcement: 'SC: Sent, not shown' }
  const report: Answer = { ...takenBack, kind: 'Problem', gotIt: { by, at: 41_000, number: 3 } }
  expect(announced(order, report)).toEqual([order.announcement, `. Problem: ${has}.`])
  const html = renderToStaticMarkup(<Receipt {...withReport(order, report, 50_000)} />)
  expect(html).toContain(`>PROBLEM · ${has}</b>`)
})
