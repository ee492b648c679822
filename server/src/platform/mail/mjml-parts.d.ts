// The component packages of MJML have no types: each exports one component, which only MJML looks into.
declare module 'mjml-*' {
  const component: { default: unknown }
  export = component
}
