import { useState } from 'preact/compat'
import './effects.js'

export * from 'preact/compat'
export { default } from 'preact/compat'
export { lazy } from './lazy.js'

/** Only react-router's data routers would call it, which are not used here: its state as it is, never ahead of it. */
export function useOptimistic(state) {
  return [state, useState()[1]]
}
