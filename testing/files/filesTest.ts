import { test as base } from 'vitest'
import { filesScene } from './filesScene.ts'

/** Vitest's `test` with `filesScene`: one server and its people for a test file, a new team for each test. */
export const test = base
  .extend('scene', { scope: 'file' }, async ({}, { onCleanup }) => {
    const scene = await filesScene()
    onCleanup(() => scene[Symbol.asyncDispose]())
    return scene
  })
  .extend('app', { scope: 'file' }, ({ scene }) => scene.app)
  .extend('ana', { scope: 'file' }, ({ scene }) => scene.ana)
  .extend('leo', { scope: 'file' }, ({ scene }) => scene.leo)
  .extend('eve', { scope: 'file' }, ({ scene }) => scene.eve)
  .extend('team', ({ scene }) => scene.newTeam())
  .extend('teamId', ({ team }) => team.teamId)
