// Starts the process that reads a file from its TypeScript source, for tests and `npm run dev`. It is not part of
// the build.
const { BUNDLED_THREADS } = process.env

// Set by testing/bundleThreads.ts.
if (BUNDLED_THREADS) await import(`${BUNDLED_THREADS}readProcess.js`)
else {
  const { register } = await import('tsx/esm/api')
  register()
  await import('./readProcess.ts')
}
