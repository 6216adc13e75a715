import { expect, type Locator, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { type Drive, driveAround, lapFromFile, resample } from '#testing/drives.ts'
import { patience } from '#testing/patience.ts'
import { pressDrive } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { messageColours } from '../messageColours.ts'
import { withServiceWorker } from './installed.ts'

test.use(withServiceWorker)

const ana = { firstName: 'Ana', lastName: 'Lindqvist', email: 'ana@northline.example' }
const leo = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }

/** The recorded lap of LAP_FILE, else one simulated lap of Zolder, with a fix per second like a phone. */
const lap = resample(
  process.env.LAP_FILE ? lapFromFile(process.env.LAP_FILE) : driveAround(zolder),
  1,
)

/** Far from every circuit. */
const brussels = { latitude: 50.8467, longitude: 4.3525 }

// spec: PR-2
test('a driver and a team use the whole product, from sign-up to End Session', async ({
  pit,
  car,
  codeMailedTo,
}) => {
  const phone = car.page

  async function signUp(page: Page, person: typeof ana) {
    await page.goto('/auth/sign-up')
    await page.getByLabel('First Name').fill(person.firstName)
    await page.getByLabel('Last Name').fill(person.lastName)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await page.getByLabel('One-time Code').fill(await codeMailedTo(person.email))
    await page.getByRole('button', { name: 'Complete' }).click()
    await expect(page.getByText(`Succesfully signed in as ${person.email}`)).toBeVisible()
    await expect(page).toHaveURL('/teams')
  }

  await test.step('two people sign up with the code from their mail', async () => {
    await signUp(pit, ana)
    await signUp(phone, leo)
    await expect(phone.getByText('No Teams')).toBeVisible()
  })

  await test.step('one creates a team and invites the other, who accepts without reloading', async () => {
    await pit.getByRole('link', { name: 'Add Team' }).click()
    await pit.getByLabel('Team Name').fill('Northline Racing')
    await pit.getByRole('button', { name: 'Add' }).click()
    await expect(pit.getByText('Team Northline Racing created successfully!')).toBeVisible()
    await expect(pit.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
    await expect(pit.getByText('No Active Sessions')).toBeVisible()

    await pit.getByRole('link', { name: 'Members' }).click()
    await pit.getByRole('link', { name: 'Invite' }).click()
    await pit.getByLabel('First Name').fill(leo.firstName)
    await pit.getByLabel('Last Name').fill(leo.lastName)
    await pit.getByLabel('Email').fill(leo.email)
    await pit.getByRole('button', { name: 'Invite' }).click()
    await expect(pit.getByText('Leo Garnier').first()).toBeVisible()

    await phone.getByRole('button', { name: 'Accept the invitation to Northline Racing' }).click()
    await expect(phone.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  })

  await test.step('the driver starts a session; it appears for the team', async () => {
    await pit.getByRole('link', { name: 'Back' }).click()
    await phone.getByRole('link', { name: 'Start a new Race Session' }).click()
    await phone.getByRole('textbox', { name: 'Name' }).fill('Friday practice 1')
    await phone.getByRole('button', { name: 'Start' }).click()
    await expect(phone).toHaveURL(/\/teams\/[\w-]+\/[\w-]+\/drive\?checks$/)
    await pressDrive(phone)
    await expect(phone.getByText('Online')).toBeVisible()
    await expect(phone.getByText('No GPS')).toBeVisible()

    await pit.getByRole('link', { name: /Friday practice 1/ }).click()
    await expect(pit.getByRole('heading', { name: /Leo Garnier/ })).toBeVisible()
    await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  })

  // Before the other drives: a session that was timed on another circuit keeps showing that circuit.
  await test.step('the dot on the map moves around Spa', async () => {
    await pit.getByRole('button', { name: 'Map' }).click()
    await car.drive({ ...lap[0]!, ...brussels })
    await expect(pit.getByText('Not near this circuit')).toBeVisible()
    const dot = pit.locator('[data-car]')
    let last = -1
    for (const sample of everySeconds(15, driveAround(spaFrancorchamps, { hz: 1 }))) {
      await car.drive(sample)
      await expect
        .poll(async () => Number(await dot.getAttribute('data-latitude')))
        .toBeCloseTo(sample.latitude, 5)
      const progress = Number(await dot.getAttribute('data-progress'))
      expect(progress).toBeGreaterThan(last)
      last = progress
    }
    expect(last).toBeGreaterThan(0.85)
    await expect(pit.getByText('Not near this circuit')).toBeHidden()
    await pit.getByRole('button', { name: 'Message' }).click()
  })

  await test.step("the team sees the car's speed within a second of the phone", async () => {
    const lateMs: number[] = []
    for (const sample of everySeconds(3, lap)) {
      const kmh = String(Math.round(sample.speedMps * 3.6))
      const onPhone = await timeOfText(phone.getByRole('main'), kmh)
      const onBoard = await timeOfText(board(pit), kmh)
      await car.drive(sample)
      // The times are recorded in the page: a speed is shown for 3 s only, and the test may poll later.
      await expect.poll(onPhone).toBeGreaterThan(0)
      await expect.poll(onBoard).toBeGreaterThan(0)
      lateMs.push((await onBoard()) - (await onPhone()))
    }
    expect(median(lateMs)).toBeLessThan(1000)
    await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  })

  await test.step('each message fills the screen in its colour and flashes; CLEAR empties it', async () => {
    for (const type of messageTypes) {
      await pit.getByRole('button', { name: type.toUpperCase(), exact: true }).click()
      const word = phone.getByRole('alert').locator('p')
      await expect(word).toHaveText(type)
      await expect(word).toHaveCSS('-webkit-text-stroke-color', messageColours[type])
      await expect(word).toHaveCSS('color', messageColours[type])
      await expect(word).toHaveCSS('color', 'rgba(0, 0, 0, 0)')
      await expect(board(pit)).toContainText(type)
      await expect(receipt(pit)).toContainText('Shown after')
    }
    await pit.getByRole('button', { name: 'CLEAR' }).click()
    await expect(phone.getByRole('alert')).toBeHidden()
    await expect(board(pit)).toContainText('No message')
  })

  await test.step('the driver acknowledges with a tap', async () => {
    await pit.getByRole('button', { name: 'PUSH' }).click()
    await expect(receipt(pit)).toContainText('Shown after')
    await phone.getByRole('main').tap()
    await expect(phone.getByText('Copy')).toBeVisible()
    await expect(receipt(pit)).toContainText('Copied after')
  })

  await test.step('without a network the car is offline for the team, and a message stays pending', async () => {
    await car.setOffline(true)
    await expect(phone.getByText('Offline')).toBeVisible()
    // Offline 5 s after the last contact; checked every 2.5 s.
    await expect(pit.getByRole('img', { name: 'Driver offline' })).toBeVisible({
      timeout: 20_000 * patience,
    })
    await expect(board(pit)).toContainText('Last contact')
    // The speed comes before the figures of laps.
    await expect(board(pit).getByText('--').first()).toBeVisible()
    await pit.getByRole('button', { name: 'PIT' }).click()
    await expect(receipt(pit)).toContainText('Sent')
    await expect(phone.getByRole('alert')).toHaveText('Push')

    await car.setOffline(false)
    await expect(phone.getByRole('alert')).toHaveText('Pit')
    await expect(phone.getByText('Online')).toBeVisible()
    await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
    await expect(receipt(pit)).toContainText('Shown after')
  })

  await test.step("the driver ends the session; it leaves the team's list at once", async () => {
    await pit.getByRole('link', { name: 'Back' }).click()
    const running = pit.locator('a[href$="/message"]', { hasText: 'Friday practice 1' })
    await expect(running).toBeVisible()
    // The first Escape is the browser's: it leaves full screen.
    await phone.evaluate(() => document.exitFullscreen())
    await phone.keyboard.press('Escape')
    await phone.getByRole('button', { name: 'End Session' }).click()
    await phone.getByRole('alertdialog').getByRole('button', { name: 'End Session' }).click()

    await expect(pit.getByText('No Active Sessions')).toBeVisible()
    await expect(running).toBeHidden()
    // The ended session links to its message log.
    await expect(pit.getByRole('link', { name: /Friday practice 1/ })).toHaveAttribute(
      'href',
      /\/log$/,
    )
    await expect(phone.getByRole('link', { name: 'Start a new Race Session' })).toBeVisible()
  })
})

/**
 * Returns a function for the time when the element shows this text, 0 before. It is measured in the page: the test
 * sees it later.
 */
async function timeOfText(place: Locator, text: string): Promise<() => Promise<number>> {
  const shown = await place.evaluateHandle((element, awaited) => {
    const textNodes = () => document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const isShown = () => {
      const texts = textNodes()
      while (texts.nextNode()) if (texts.currentNode.nodeValue === awaited) return true
      return false
    }
    const when = { at: isShown() ? Date.now() : 0 }
    const observer = new MutationObserver(() => {
      if (when.at === 0 && isShown()) when.at = Date.now()
      if (when.at > 0) observer.disconnect()
    })
    observer.observe(element, { subtree: true, childList: true, characterData: true })
    return when
  }, text)
  return () => shown.evaluate(when => when.at)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns every nth fix of a drive with one fix per second. */
function everySeconds(n: number, drive: Drive): Drive {
  return drive.filter((_, second) => second % n === 0)
}

function board(page: Page) {
  return page.getByRole('region', { name: 'Current message' })
}

function receipt(page: Page) {
  return board(page).getByRole('status')
}
