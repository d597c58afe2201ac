/*! With preact, @preact/signals and @preact/signals-core, (c) Jason Miller and The Preact Authors, MIT licence: https://opensource.org/license/mit */
import{c as o,ja as m,m as e,t as r,u as t,va as i,ya as p}from"./shared.js";await Promise.all([r(t()).catch(()=>r("en")),m()]);var a=document.getElementById("app");a.replaceChildren();o(e(i,{}),a);setTimeout(()=>{p()},300);
