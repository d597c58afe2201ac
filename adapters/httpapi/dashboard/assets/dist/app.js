/*! With preact, @preact/signals and @preact/signals-core, (c) Jason Miller and The Preact Authors, MIT licence: https://opensource.org/license/mit */
import{c as e,ja as m,m as o,t as r,u as t,ua as i,xa as p}from"./shared.js";await Promise.all([r(t()).catch(()=>r("en")),m()]);var a=document.getElementById("app");a.replaceChildren();e(o(i,{}),a);setTimeout(()=>{p()},300);
