/** A headless Chromium that does nothing but what it is asked. */
export const chromiumArgs = [
  // As root, such as in a container, Chromium has no sandbox to offer.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
