import { expect } from '@playwright/test'
import { waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { hold, recordCalls, refuse } from '../mockApi.ts'
import { errorOn, successOn } from '../toasts.ts'

// spec: SI-1 SI-2 SI-3 SI-4 SI-5 SI-7
test('the sign-in asks for an email, and offers an external account and the sign-up', async ({
  open,
}) => {
  const page = await open()
  await page.goto('/auth/sign-in')
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  const email = page.getByRole('textbox')
  await expect(email).toHaveCount(1)
  await expect(email).toHaveAccessibleName('Email')
  await expect(email).toHaveAttribute('placeholder', 'name@example.com')
  await expect(email).toHaveAttribute('inputmode', 'email')
  await expect(email).toHaveAttribute('autocomplete', 'email')

  const signIn = page.getByRole('button', { name: 'Sign In', exact: true })
  const divider = page.getByText('Or continue with')
  const google = page.getByRole('button', { name: 'Google' })
  expect((await google.boundingBox())!.y).toBeGreaterThan((await divider.boundingBox())!.y)
  expect((await divider.boundingBox())!.y).toBeGreaterThan((await signIn.boundingBox())!.y)
  await expect(google).toBeEnabled()

  await expect(signIn).toBeDisabled()
  await email.fill('ana@northline')
  await email.blur()
  await expect(signIn).toBeDisabled()
  await expect(email).toHaveAccessibleDescription('Enter a complete email address.')
  await email.fill('ana@northline.example')
  await expect(signIn).toBeEnabled()
  await expect(email).toHaveAccessibleDescription('')

  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL('/auth/sign-up')
})

test('the first page says what the app is, with a picture of it on phones', async ({ open }) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 } })
  await page.goto('/auth/sign-in')
  await expect(page.getByText('Your team sends one word.')).toBeVisible()
  await expect(page.getByRole('img', { name: "PIT on the driver's phone" })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy')
  await expect(page.getByRole('link', { name: 'Check this phone' })).toBeInViewport()
})

for (const can of [true, false]) {
  test(`a device that ${can ? 'can' : 'cannot'} have a passkey is ${can ? '' : 'not '}offered one`, async ({
    open,
  }) => {
    const page = await open()
    await page.addInitScript(answer => {
      PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => answer
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    }, can)
    await page.goto('/auth/sign-in')
    await expect(page.getByText('Or continue with')).toBeVisible()
    await waitForPaint(page)
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible({
      visible: can,
    })
  })
}

// spec: SI-6 SI-8 OTC-1 OTC-2 OTC-3 OTC-4 OTC-6 OTC-7 AU-1 ER-1
test('email and code sign in; a wrong code leads back to the sign-in', async ({
  open,
  person,
  codeMailedTo,
}) => {
  const { email } = await person('Ana')
  const page = await open()
  const complete = page.getByRole('button', { name: 'Complete' })
  const code = page.getByLabel('One-time Code')

  await test.step('the button is busy until the server responds', async () => {
    await page.goto('/auth/sign-in')
    await page.getByLabel('Email').fill(email)
    const release = await hold(page, 'auth.sendCode')
    const signIn = page.getByRole('button', { name: 'Sign In', exact: true })
    await signIn.click()
    await expect(signIn).toBeDisabled()
    await expect(signIn).toHaveAttribute('aria-busy', 'true')
    await expect(signIn.locator('svg')).toBeVisible()
    await release()
    await expect(page).toHaveURL(`/auth/confirm-otp?email=${encodeURIComponent(email)}`)
  })

  await test.step('the code field accepts only digits', async () => {
    await expect(page.getByRole('heading', { name: 'Enter One-Time-Code' })).toBeVisible()
    await expect(page.getByText('Enter the one-time-code sent to your inbox')).toBeVisible()
    await expect(code).toHaveAttribute('inputmode', 'numeric')
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(complete).toBeDisabled()
    await code.fill('12a3')
    await expect(code).toHaveValue('123')
  })

  await test.step('a wrong code shows an error and leads back, keeping the email', async () => {
    await codeMailedTo(email)
    await complete.click()
    const toast = errorOn(page)
    await expect(toast).toContainText('Error')
    await expect(toast).toContainText('That code did not match.')
    await expect(page).toHaveURL(/\/auth\/sign-in/)
    await expect(page.getByLabel('Email')).toHaveValue(email)
  })

  await test.step('the right code signs in and removes the error', async () => {
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await code.fill(await codeMailedTo(email))
    await expect(errorOn(page)).toHaveCount(0)
    const calls = recordCalls(page, 'auth.verifyCode')
    const release = await hold(page, 'auth.verifyCode')
    await complete.click()
    await expect(complete).toBeDisabled()
    await expect(complete.locator('svg')).toBeVisible()
    await release()
    const toast = successOn(page)
    await expect(toast).toContainText(`Succesfully signed in as ${email}`)
    await expect(page).toHaveURL('/teams')
    expect(calls[0]!.postDataJSON()).toEqual({ email, code: expect.stringMatching(/^\d{6}$/) })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Select a Team' })).toBeVisible()
  })
})

// spec: SI-9 SI-10 ER-2
test("a refused sign-in shows the server's reason and keeps the input", async ({ open }) => {
  const page = await open()
  await page.goto('/auth/sign-in')
  const restore = await refuse(page, 'auth.sendCode', 'mail-not-sent')
  await page.getByLabel('Email').fill('marta@northline.example')
  const signIn = page.getByRole('button', { name: 'Sign In', exact: true })
  await signIn.click()
  const toast = errorOn(page)
  await expect(toast).toContainText('Error')
  await expect(toast).toContainText('The email could not be sent. Try again.')
  await expect(signIn).toBeEnabled()
  await expect(page.getByLabel('Email')).toHaveValue('marta@northline.example')

  restore()
  await signIn.click()
  await expect(page).toHaveURL(/\/auth\/confirm-otp/)
  await expect(toast).toHaveCount(0)
})

// spec: SU-1 SU-2 SU-3 SU-4 SU-5 SU-6 SU-7 SU-8 SU-9 SU-10 SU-11 ER-1 ER-2
test('the sign-up asks for names and an email, and leads to the code', async ({ open }) => {
  const page = await open()
  await page.goto('/auth/sign-up')
  await expect(page.getByRole('heading', { name: 'Create a free account' })).toBeVisible()
  const [first, last, email] = ['First Name', 'Last Name', 'Email'].map(label =>
    page.getByLabel(label),
  )
  const signUp = page.getByRole('button', { name: 'Sign Up' })
  await expect(page.getByRole('textbox')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Google' })).toBeEnabled()
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toHaveAttribute(
    'href',
    '/auth/sign-in',
  )

  await test.step('the button is disabled until all three fields are filled', async () => {
    await expect(signUp).toBeDisabled()
    await first!.fill('Théo')
    await email!.fill('theo@northline.example')
    await last!.fill('  ')
    await last!.blur()
    await expect(last!).toHaveAccessibleDescription('Enter a last name.')
    await expect(signUp).toBeDisabled()
    await last!.fill('Garnier')
    await expect(signUp).toBeEnabled()
    await first!.fill('')
    await first!.blur()
    await expect(first!).toHaveAccessibleDescription('Enter a first name.')
    await expect(signUp).toBeDisabled()
    await first!.fill('Théo')
    await email!.fill('theo')
    await email!.blur()
    await expect(email!).toHaveAccessibleDescription('Enter a complete email address.')
    await expect(signUp).toBeDisabled()
    await email!.fill('theo@northline.example')
  })

  await test.step('a refusal is shown and keeps the input', async () => {
    const restore = await refuse(page, 'auth.sendCode', 'mail-not-sent')
    await signUp.click()
    await expect(errorOn(page)).toContainText('Error')
    await expect(errorOn(page)).toContainText('The email could not be sent.')
    await expect(signUp).toBeEnabled()
    await expect(last!).toHaveValue('Garnier')
    restore()
  })

  await test.step('the button is busy until the code is sent', async () => {
    const calls = recordCalls(page, 'auth.sendCode')
    const release = await hold(page, 'auth.sendCode')
    await signUp.click()
    await expect(signUp).toBeDisabled()
    await expect(signUp.locator('svg')).toBeVisible()
    await release()
    await expect(page).toHaveURL('/auth/confirm-otp?email=theo%40northline.example')
    expect(calls[0]!.postDataJSON()).toEqual({
      firstName: 'Théo',
      lastName: 'Garnier',
      email: 'theo@northline.example',
    })
  })
})

// spec: OTC-5
test('without an email in the URL submitting a code sends nothing', async ({ open }) => {
  const page = await open()
  const calls = recordCalls(page, 'auth.verifyCode')
  await page.goto('/auth/confirm-otp')
  await page.getByLabel('One-time Code').fill('123456')
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByRole('button', { name: 'Complete' })).toBeEnabled()
  await expect(page.getByLabel('One-time Code')).toHaveValue('123456')
  await expect(errorOn(page)).toHaveCount(0)
  await expect(page).toHaveURL('/auth/confirm-otp')
  expect(calls).toEqual([])
})

// spec: OTC-8 ER-3
test('a code that did not reach the server can be submitted again', async ({ open }) => {
  const page = await open()
  await page.goto('/auth/confirm-otp?email=ana%40northline.example')
  await refuse(page, 'auth.verifyCode', 'unreachable')
  await page.getByLabel('One-time Code').fill('123456')
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(errorOn(page)).toContainText('The server did not respond.')
  await expect(page).toHaveURL(/\/auth\/confirm-otp/)
  await expect(page.getByLabel('One-time Code')).toHaveValue('123456')
  await expect(page.getByRole('button', { name: 'Complete' })).toBeEnabled()
})

// spec: VS-1 VS-2 VS-3
test('the screen after a verification mail names the address and links to the sign-in', async ({
  open,
}) => {
  const page = await open()
  await page.goto('/auth/verification-sent?email=ana%40northline.example')
  await expect(page.getByRole('heading', { name: 'Verification Sent' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(
    "A verification Email has been sent to ana@northline.example. Once you've verified your email, you will be able to sign-in",
  )
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/auth/sign-in')
})
