// Starts the thread that reads a recording from its TypeScript source, for tests and `npm run dev`. It is not part of
// the build.
import { register } from 'tsx/esm/api'

register()
await import('./readThread.ts')
