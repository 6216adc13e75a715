import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { phoneOptions, test } from './stint.ts'

const here = spaFrancorchamps.startFinish

test('one tap before the start looks at everything; a test flash goes to the team and back', async ({
  cast,
  open,
  phone,
  gps,
  send,
  messageUrl,
  watching,
}) => {
  const pit = await open(cast.ana)
  await pit.goto(messageUrl)
  await gps({ ...here, speed: 0 })
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(panel.getByRole('heading')).toHaveText('Friday practice 1, Night Owls')
  await expect(line(panel, 'Location')).toContainText('Within 4 m')
  await expect(line(panel, 'Connection')).toContainText(/Round trip \d+ ms/)
  await expect(line(panel, 'Storage')).toContainText('Keeps what you drive')

  await panel.getByRole('button', { name: 'Test flash' }).tap()
  await expect(phone.getByText('Test', { exact: true })).toBeVisible()
  await watching.next('test')
  await expect(line(panel, 'Test flash')).toContainText("Seen by the team's screens")

  await panel.getByRole('button', { name: 'Sound on' }).tap()
  await expect(line(panel, 'Sound')).toContainText('Off')
  await phone.context().setOffline(true)
  await expect(line(panel, 'Connection')).toContainText('No connection to the server')
  await expect(panel.getByRole('status')).toHaveText('Not ready yet')
  await phone.context().setOffline(false)
  await expect(line(panel, 'Connection')).toContainText('Round trip')

  await send('Go')
  await expect(phone.getByRole('alert')).toHaveText('Go')
  await expect(panel).toHaveCount(0)
})

test('a location that is not allowed is red, and says what to do', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, { ...phoneOptions, permissions: [] })
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(line(panel, 'Location')).toContainText('Allow the location for this site')
  await expect(panel.getByRole('status')).toHaveText('Not ready yet')
  await panel.getByRole('button', { name: 'Drive' }).tap()
  await expect(panel).toHaveCount(0)
})

test('each new message sounds, a media button acknowledges it', async ({
  cast,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.addInitScript(() => {
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      const { dataset } = document.documentElement
      dataset.tones = String(Number(dataset.tones ?? 0) + 1)
      return make.call(this)
    }
    const set = MediaSession.prototype.setActionHandler
    MediaSession.prototype.setActionHandler = function (this: MediaSession, action, handler) {
      if (action === 'nexttrack' && handler) {
        addEventListener('media-button', () => handler({ action }))
      }
      set.call(this, action, handler)
    }
  })
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(line(panel, 'Sound')).toContainText('On')
  await panel.getByRole('button', { name: 'Drive' }).tap()
  await send('Push')
  await expect(phone.locator('html')).toHaveAttribute('data-tones', '2')
  await phone.evaluate(() => dispatchEvent(new Event('media-button')))
  await expect(phone.getByText('Copy')).toBeVisible()
})

function line(panel: ReturnType<Page['locator']>, name: string) {
  return panel.getByRole('listitem').filter({ has: panel.page().getByText(name, { exact: true }) })
}
