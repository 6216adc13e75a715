// Starts the database thread from its TypeScript source: for tests and `npm run dev`. Not part of the build.
const { BUNDLED_THREADS } = process.env

// testing/bundleThreads.ts
if (BUNDLED_THREADS) await import(`${BUNDLED_THREADS}databaseThread.js`)
else {
  const { register } = await import('tsx/esm/api')
  register()
  await import('./databaseThread.ts')
}
