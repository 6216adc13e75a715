// Builds and exits. Used by the container image, which installs and starts by itself.
import { ensureBuilt } from './build.mjs'

await ensureBuilt()
