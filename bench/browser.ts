import { type Browser, chromium } from '@playwright/test'
import { chromiumArgs } from '#testing/chromium.ts'
import { findChromium } from '../scripts/chromium.mjs'

export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium()
  return chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
}
