/*! With preact, @preact/signals and @preact/signals-core, (c) Jason Miller and The Preact Authors, MIT licence: https://opensource.org/license/mit */
var o="milaan.theme";function r(t){try{return localStorage.getItem(t)}catch{return null}}function e(){let t=r(o);return t==="light"||t==="dark"?t:"auto"}var n=e();n!=="auto"&&(document.documentElement.dataset.theme=n);
