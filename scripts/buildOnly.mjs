// Builds and ends: for images, which install and start by themselves.
import { ensureBuilt } from './build.mjs'

await ensureBuilt()
