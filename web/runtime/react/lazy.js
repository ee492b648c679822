import { Component, createElement } from 'preact'

/**
 * As `lazy` of React. That of Preact 11.2 draws again what was taken off the page while its code was on the way, when the
 * same boundary waited for something else too, and fails there.
 */
export function lazy(load) {
  let coming
  let arrived
  let failure

  async function fetchOnce() {
    try {
      arrived = (await load()).default
    } catch (error) {
      failure = { error }
    }
  }

  return class Lazy extends Component {
    isGone = false

    componentWillUnmount() {
      this.isGone = true
    }

    forceUpdate(callback) {
      if (!this.isGone) super.forceUpdate(callback)
    }

    render(props) {
      if (arrived) return createElement(arrived, props)
      if (failure) throw failure.error
      coming ??= fetchOnce()
      throw coming
    }
  }
}
